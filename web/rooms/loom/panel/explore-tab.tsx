import type { FormEvent } from 'react';
import { formatNumber } from '../../../../src/core/text/format-number.ts';
import { useStore } from '../../../data/store.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { type ExploreOptions, goToNode, type OpenLoom } from '../loom.ts';
import type { ExplorationSummary } from '../session/explorations.ts';

const FIELDS = [
  { name: 'breadth', label: 'Ways at each point', min: 1, max: 16, usual: '3' },
  { name: 'depth', label: 'Steps deep', min: 1, max: 64, usual: '3' },
  { name: 'nodes', label: 'Nodes at most', min: 1, max: 2000, usual: '30' },
  { name: 'tokens', label: 'Tokens at most', min: 1, max: 1_000_000_000, usual: 'any' },
] as const;

const BEST_COUNT = 5;

/** Lets a model explore on its own within a budget, and shows the results (W21). */
export function ExploreTab({ loom }: { readonly loom: OpenLoom }) {
  const options = useStore(loom.exploreOptions);
  const explorations = useStore(loom.explorations.all);
  const isRunning = explorations.some(({ state }) => state === 'running');

  function start(event: FormEvent): void {
    event.preventDefault();
    const { model, temperature, max_tokens } = loom.generationOptions.get();
    const samplingOptions = {
      model,
      temperature,
      max_tokens: max_tokens ?? loom.replica.loom.get().settings.max_tokens,
    };
    const fields = Object.entries({ ...samplingOptions, ...options }).filter(([, value]) => value !== undefined);
    void loom.session.command('explore', Object.fromEntries(fields));
  }

  return (
    <section className="loom-explore">
      <p className="soft">
        The model goes on from the end of the text by itself, always from the best of what it made, until one of these
        is used up. Your place in the text stays as it is.
      </p>
      <form onSubmit={start}>
        {FIELDS.map(({ name, label, min, max, usual }) => (
          <label key={name} className="setting">
            {label}
            <input
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
          </label>
        ))}
        <label className="setting">
          Best is
          <select
            value={options.rank ?? 'logprob'}
            onChange={({ target }) => setOptions({ rank: target.value as 'logprob' | 'novelty' })}
          >
            <option value="logprob">likely</option>
            <option value="novelty">new</option>
          </select>
        </label>
        <button type="submit" className="dock-main" disabled={isRunning}>
          Explore
        </button>
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
    <article aria-label="Exploration">
      <ExplorationLine loom={loom} summary={summary} />
      {bestNodes.length > 0 && (
        <ol className="finds" aria-label="The best of it">
          {bestNodes.map(({ node, text }) => (
            <li key={node}>
              <button type="button" dir="auto" onClick={() => void goToNode(loom, node, Number.MAX_SAFE_INTEGER)}>
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
    <p className="explore-line">
      {STATE_LABELS[state]} {results.length} of {nodes} nodes, {formatNumber(tokensUsed)}
      {tokens !== undefined && ` of ${formatNumber(tokens)}`} tokens
      {reason !== undefined && <span dir="auto"> ({escapeBidi(reason)})</span>}{' '}
      {!isOver && (
        <>
          <ActionButton onClick={() => turn(state === 'running' ? 'paused' : 'running')}>
            {state === 'running' ? 'Pause' : 'Go on'}
          </ActionButton>{' '}
          <ActionButton onClick={() => turn('stopped')}>End it</ActionButton>
        </>
      )}
    </p>
  );
}

const STATE_LABELS = { running: 'Exploring:', paused: 'Paused:', stopped: 'Ended:', finished: 'Explored:' } as const;
