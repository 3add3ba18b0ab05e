import { isDone, jsonOf } from '../caller.ts';
import type { Tactic } from '../tactic.ts';
import { repeat } from '../waiting.ts';

interface PostedEvent {
  readonly event?: { readonly id: string; readonly from: string };
}

/** The keys of retries: one for many requests at once, for another body, and those that honest writers use. */
export const keys: Tactic = {
  name: 'keys',
  rules: '[L7]',
  async run({ house, random, scale, intruder, find }) {
    const mallory = await intruder();
    const path = `/api/threads/${house.places.hall}/events`;
    const post = (key: string, content: string) =>
      mallory.post(path, { type: 'message', content }, { headers: { 'idempotency-key': key } });
    for (let i = 0; i < 5 * scale; i++) {
      const key = `stolen-${i}`;
      const answers = await Promise.all(repeat(8, () => post(key, 'once')));
      const ids = new Set(answers.map((answer) => jsonOf<PostedEvent>(answer)?.event?.id));
      if (ids.size !== 1) find('one key made several events', [...ids]);
      if (isDone(await post(key, 'something else'))) find('a key was taken for another body', key);
      // Whatever key an honest writer has used or will use, this is another's.
      const honest = `honest-human-${1 + random.below(2_000)}`;
      const answer = await post(honest, 'mine');
      const from = jsonOf<PostedEvent>(answer)?.event?.from;
      if (from !== undefined && from !== mallory.id)
        find('an agent was answered with what another wrote', answer?.text);
    }
  },
};
