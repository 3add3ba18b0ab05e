import type { FormEvent } from 'react';
import { useStore } from '../../../data/store.ts';
import { numeral } from '../../../ui/numeral.ts';
import { visible } from '../../../ui/text/visible.ts';
import { type ExploreWish, goAndShow, type Loom } from '../loom.ts';
import type { Explored } from '../session/explorations.ts';

const FIELDS = [
  { name: 'breadth', label: 'Ways at each point', min: 1, max: 16, usual: '3' },
  { name: 'depth', label: 'Steps deep', min: 1, max: 64, usual: '3' },
  { name: 'nodes', label: 'Nodes at most', min: 1, max: 2000, usual: '30' },
  { name: 'tokens', label: 'Tokens at most', min: 1, max: 1_000_000_000, usual: 'any' },
] as const;

const BEST = 5;

/** Lets a model go on by itself within a budget, and shows what came of it (W21). */
export function Explore({ loom }: { readonly loom: Loom }) {
  const wish = useStore(loom.exploreWish);
  const explored = useStore(loom.explored.all);
  const isRunning = explored.some(({ state }) => state === 'running');

  function start(event: FormEvent): void {
    event.preventDefault();
    const { model, temperature, max_tokens } = loom.wish.get();
    const own = { model, temperature, max_tokens: max_tokens ?? loom.replica.loom.get().settings.max_tokens };
    const given = Object.entries({ ...own, ...wish }).filter(([, value]) => value !== undefined);
    void loom.desk.command('explore', Object.fromEntries(given));
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
              value={wish[name] ?? ''}
              onChange={({ target: { valueAsNumber: value } }) =>
                set({ [name]: Number.isNaN(value) ? undefined : Math.round(Math.min(max, Math.max(min, value))) })
              }
            />
          </label>
        ))}
        <label className="setting">
          Best is
          <select
            value={wish.rank ?? 'logprob'}
            onChange={({ target }) => set({ rank: target.value as 'logprob' | 'novelty' })}
          >
            <option value="logprob">likely</option>
            <option value="novelty">new</option>
          </select>
        </label>
        <button type="submit" className="dock-main" disabled={isRunning}>
          Explore
        </button>
      </form>
      {explored.toReversed().map((each) => (
        <Course key={each.exploration} loom={loom} explored={each} />
      ))}
    </section>
  );

  function set(change: { [Key in keyof ExploreWish]?: ExploreWish[Key] | undefined }): void {
    const next = Object.entries({ ...wish, ...change }).filter(([, value]) => value !== undefined);
    loom.exploreWish.set(Object.fromEntries(next));
  }
}

function Course({ loom, explored }: { readonly loom: Loom; readonly explored: Explored }) {
  const best = explored.made.toSorted((a, b) => b.score - a.score).slice(0, BEST);
  return (
    <article aria-label="Exploration">
      <ExploreLine loom={loom} explored={explored} />
      {best.length > 0 && (
        <ol className="finds" aria-label="The best of it">
          {best.map(({ node, text }) => (
            <li key={node}>
              <button type="button" dir="auto" onClick={() => void goAndShow(loom, node, Number.MAX_SAFE_INTEGER)}>
                {visible(text.trim().slice(0, 140)) || '(nothing)'}
              </button>
            </li>
          ))}
        </ol>
      )}
    </article>
  );
}

/** How far it has come, and the way to hold it. */
export function ExploreLine({ loom, explored }: { readonly loom: Loom; readonly explored: Explored }) {
  const { exploration, state, made, nodes, used, tokens, reason } = explored;
  const turn = (to: string) => void loom.desk.command('turn_exploration', { exploration, to });
  const isOver = state === 'stopped' || state === 'finished';
  return (
    <p className="explore-line">
      {WORDS[state]} {made.length} of {nodes} nodes, {numeral(used)}
      {tokens !== undefined && ` of ${numeral(tokens)}`} tokens
      {reason !== undefined && <span dir="auto"> ({visible(reason)})</span>}{' '}
      {!isOver && (
        <>
          <button type="button" className="act" onClick={() => turn(state === 'running' ? 'paused' : 'running')}>
            {state === 'running' ? 'Pause' : 'Go on'}
          </button>{' '}
          <button type="button" className="act" onClick={() => turn('stopped')}>
            End it
          </button>
        </>
      )}
    </p>
  );
}

const WORDS = { running: 'Exploring:', paused: 'Paused:', stopped: 'Ended:', finished: 'Explored:' } as const;
