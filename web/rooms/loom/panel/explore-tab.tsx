import type { FormEvent } from 'react';
import { formatNumber } from '../../../../src/core/text/format-number.ts';
import { useStore } from '../../../data/store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/field.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { type ExploreOptions, goToNode, type OpenLoom } from '../loom.ts';
import type { ExplorationSummary } from '../session/explorations.ts';
import styles from './panel.module.css';

const FIELDS = [
  { name: 'breadth', label: 'Branches each time', min: 1, max: 16, usual: '3' },
  { name: 'depth', label: 'Depth limit', min: 1, max: 64, usual: '3' },
  { name: 'nodes', label: 'Node limit', min: 1, max: 2000, usual: '30' },
  { name: 'tokens', label: 'Token limit', min: 1, max: 1_000_000_000, usual: 'None' },
] as const;

const BEST_COUNT = 5;

/** Lets a model explore on its own within a budget, and shows the results (W21). */
export function ExploreTab({ loom }: { readonly loom: OpenLoom }) {
  const options = useStore(loom.exploreOptions);
  const explorations = useStore(loom.explorations.all);
  const isRunning = explorations.some(({ state }) => state === 'running');

  function start(event: FormEvent): void {
    event.preventDefault();
    const { models: [model] = [], temperature, max_tokens } = loom.generationOptions.get();
    const samplingOptions = {
      model,
      temperature,
      max_tokens: max_tokens ?? loom.replica.loom.get().settings.max_tokens,
    };
    const fields = Object.entries({ ...samplingOptions, ...options }).filter(([, value]) => value !== undefined);
    void loom.session.command('explore', Object.fromEntries(fields));
  }

  return (
    <section className={styles.section}>
      <p className={styles.soft}>
        The model continues from the end of the text on its own, each time from its best continuation, until a limit is
        reached. Your place in the text does not change.
      </p>
      <form className={styles.section} onSubmit={start}>
        <div className={styles.pairs}>
          {FIELDS.map(({ name, label, min, max, usual }) => (
            <TextField
              key={name}
              label={label}
              type="number"
              min={min}
              max={max}
              placeholder={usual}
              value={options[name] ?? ''}
              onChange={({ target: { valueAsNumber: value } }) =>
                setOptions({
                  [name]: Number.isNaN(value) ? undefined : Math.round(Math.min(max, Math.max(min, value))),
                })
              }
            />
          ))}
        </div>
        <Select
          label="Best means"
          value={options.rank ?? 'logprob'}
          options={[
            { value: 'logprob', label: 'Most likely' },
            { value: 'novelty', label: 'Most novel' },
          ]}
          onChange={(rank) => setOptions({ rank })}
        />
        <div>
          <Button type="submit" disabled={isRunning}>
            Explore
          </Button>
        </div>
      </form>
      {explorations.toReversed().map((each) => (
        <ExplorationResult key={each.exploration} loom={loom} summary={each} />
      ))}
    </section>
  );

  function setOptions(change: { [Key in keyof ExploreOptions]?: ExploreOptions[Key] | undefined }): void {
    const next = Object.entries({ ...options, ...change }).filter(([, value]) => value !== undefined);
    loom.exploreOptions.set(Object.fromEntries(next));
  }
}

function ExplorationResult({ loom, summary }: { readonly loom: OpenLoom; readonly summary: ExplorationSummary }) {
  const bestNodes = summary.results.toSorted((a, b) => b.score - a.score).slice(0, BEST_COUNT);
  return (
    <article aria-label="Exploration" className={styles.exploration}>
      <ExplorationLine loom={loom} summary={summary} />
      {bestNodes.length > 0 && (
        <ol className={styles.results} aria-label="Best results">
          {bestNodes.map(({ node, text }) => (
            <li key={node}>
              <button
                type="button"
                className={styles.result}
                dir="auto"
                onClick={() => void goToNode(loom, node, Number.MAX_SAFE_INTEGER)}
              >
                {escapeBidi(text.trim().slice(0, 140)) || '(nothing)'}
              </button>
            </li>
          ))}
        </ol>
      )}
    </article>
  );
}

/** The progress of an exploration, with buttons to pause or end it. */
export function ExplorationLine({ loom, summary }: { readonly loom: OpenLoom; readonly summary: ExplorationSummary }) {
  const { exploration, state, results, nodes, tokensUsed, tokens, reason } = summary;
  const turn = (to: string) => void loom.session.command('turn_exploration', { exploration, to });
  const isOver = state === 'stopped' || state === 'finished';
  return (
    <div className={styles.line}>
      <span>
        {STATE_LABELS[state]} {results.length} of {nodes} nodes, {formatNumber(tokensUsed)}
        {tokens !== undefined && ` of ${formatNumber(tokens)}`} tokens
        {reason !== undefined && <bdi> ({escapeBidi(reason)})</bdi>}
      </span>
      {!isOver && (
        <>
          <Button onClick={() => turn(state === 'running' ? 'paused' : 'running')}>
            {state === 'running' ? 'Pause' : 'Resume'}
          </Button>
          <Button kind="quiet" onClick={() => turn('stopped')}>
            End
          </Button>
        </>
      )}
    </div>
  );
}

const STATE_LABELS = { running: 'Exploring:', paused: 'Paused:', stopped: 'Ended:', finished: 'Explored:' } as const;
