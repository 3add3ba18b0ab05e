import { type ControlName, controlShapes } from '../../../src/core/threads/schema.ts';
import { isDone } from '../caller.ts';
import { shapeOf, valueFor } from '../generate.ts';
import type { Tactic } from '../tactic.ts';
import { hostileValue } from '../values.ts';
import { inParallel, repeat } from '../waiting.ts';

/** What any participant may send, in some form at least (T6). */
const ANYONE: readonly ControlName[] = ['invite', 'prod', 'profile', 'uninvite'];
const EACH = 8;

/** Every control, right and wrong, as an event and as a dry run. */
export const controls: Tactic = {
  name: 'controls',
  rules: '[T5] [T6]',
  async run({ house, random, scale, intruder, find }) {
    const mallory = await intruder();
    const { hall, talk, pool, loom, side } = house.places;
    const wishes = Object.entries(controlShapes).flatMap(([name, shape]) =>
      repeat(EACH * scale, (i) => {
        const how = { random, house, oneIn: i === 0 ? 0 : random.pick([2, 4]) };
        const value = i % 3 === 2 ? hostileValue(random, house) : valueFor(shapeOf(shape), how);
        return {
          name: name as ControlName,
          content: { [name]: value },
          thread: random.pick([hall, talk, pool, loom, side]),
        };
      }),
    );
    await inParallel(wishes, 4, async ({ name, content, thread }) => {
      const event = { type: 'control', content };
      await mallory.post(`/api/threads/${thread}/delivery`, event);
      const answer = await mallory.post(`/api/threads/${thread}/events`, event);
      if (isDone(answer) && !ANYONE.includes(name)) find(`an agent may send the control "${name}"`, content);
    });
  },
};
