import type { Actor, Event } from '../../../src/core/events/event.ts';
import type { Exchange } from '../../../src/core/exchange/state.ts';
import { currentTerms } from '../../../src/core/exchange/state.ts';
import type { RefusalDetail } from '../../../src/core/refusal.ts';
import { given, human } from './given.ts';

export const auditor: Actor = { id: 'auditor', kind: 'agent' };
export const clockwork: Actor = { id: 'exchange', kind: 'automation' };

/** What a call tells, with everything a test does not care about filled in. */
export function callFacts(round: number, run: number) {
  return {
    ...{ round, run, seed: 7, prompt: 'p1', terms: 1, model: 'scripted', shown: [] },
    usage: { prompt: 10, generated: 5 },
    latency_ms: 3,
  };
}

/** An exchange in a test's hand, with minds and an auditor that say what the test tells them to. */
export function exchangeWith(setup: object = {}) {
  const world = given([human, 'create', { title: 'Pool', kind: 'exchange', setup }]);
  let thread = 't1';
  const state = () => world.mode<Exchange>(thread);
  const when = (actor: Actor, name: Parameters<typeof world.when>[1], input: object = {}) =>
    world.when(actor, name, { thread, ...input });

  /** One mind after another: a text is a thought, a list is several, null is silence; an object is a whole result. */
  function speaks(spoken: string | readonly string[] | null | object, more: object = {}): Event[] | RefusalDetail {
    const { current, rounds, run } = state();
    const id = currentTerms(state()).terms.minds[current.spoken]?.id ?? 'mind_0';
    const thoughts = spoken === null ? [] : typeof spoken === 'string' ? [spoken] : spoken;
    const result = Array.isArray(thoughts) ? { thoughts } : thoughts;
    return when({ id, kind: 'agent' }, 'report_thoughts', {
      ...callFacts(rounds.length + 1, run?.run ?? 0),
      ...{ mind: current.spoken, iter: current.calls + current.spoken + 1, result },
      ...more,
    });
  }

  /** The round's end; thoughts with the same word before a colon belong together, others to nobody. */
  function settles(clusters: Readonly<Record<number, number>> = {}): Event[] | RefusalDetail {
    const { rounds, run, pool, current } = state();
    const fresh = pool.thoughts.slice(current.pool.thoughts.length).map(({ id }) => id);
    return when(clockwork, 'settle_round', {
      ...{ round: rounds.length + 1, run: run?.run ?? 0, after: pool.members.length, diversity: 0.5, novelty: 0.25 },
      assignments: fresh.map((id) => ({ thought: id, cluster: clusters[id] ?? null, embedder: 'test' })),
    });
  }

  return {
    ...world,
    state,
    when,
    speaks,
    settles,
    thread: () => thread,
    jobs: () => world.jobs(thread),
    go(to: string) {
      thread = to;
    },
    /** A whole round in which every mind says this; its thoughts belong to this cluster. */
    round(result: string | readonly string[] | null | object = 'a thought', cluster?: number) {
      const { minds } = currentTerms(state()).terms;
      for (const _ of minds) speaks(result);
      const { pool, current } = state();
      const ids = pool.thoughts.slice(current.pool.thoughts.length).map(({ id }) => id);
      return settles(cluster === undefined ? {} : Object.fromEntries(ids.map((id) => [id, cluster])));
    },
    audits(text = 'All is well [#1].', more: object = {}) {
      const { rounds, run, audits, auditTries } = state();
      return when(auditor, 'report_audit', {
        ...callFacts(rounds.length, run?.run ?? 0),
        ...{ audit: audits.length + 1, attempt: auditTries + 1, result: { text } },
        ...more,
      });
    },
  };
}
