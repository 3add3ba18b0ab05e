import { jsonOf } from '../caller.ts';
import type { Tactic } from '../tactic.ts';

const INTRUDERS = 2;
/** An agent may not make many threads an hour (T23), so several agents share the work. */
const BURSTS = 6;

interface Forked {
  readonly thread: { readonly id: string };
}

/** Forks in the same commit as writes to their parent, and forks of those forks. */
export const forks: Tactic = {
  name: 'forks',
  rules: '[L13] [L22]',
  async run({ house, random, scale, intruder }) {
    for (let i = 0; i < INTRUDERS * scale; i++) {
      const mallory = await intruder();
      const made = jsonOf<Forked>(await mallory.post('/api/threads', { title: 'Burst' }));
      let thread = made?.thread?.id ?? house.places.hall;
      for (let burst = 0; burst < BURSTS; burst++) {
        const parent = random.below(3) === 0 ? house.places.hall : thread;
        const post = (text: string) =>
          mallory.post(`/api/threads/${parent}/events`, { type: 'message', content: text });
        const fork = () => mallory.post(`/api/threads/${parent}/commands/fork`, {});
        const [, , first, , second] = await Promise.all([post('one'), post('two'), fork(), post('three'), fork()]);
        const forked = jsonOf<Forked>(random.below(2) === 0 ? first : second);
        if (forked?.thread) thread = forked.thread.id;
        // A word in the fork, so that the chain goes on from where it begins.
        await mallory.post(`/api/threads/${thread}/events`, { type: 'message', content: 'and on' });
      }
    }
  },
};
