import { endpoints } from '../../../src/protocol/routes.ts';
import { isDone } from '../caller.ts';
import { requestFor } from '../endpoints.ts';
import type { Tactic } from '../tactic.ts';
import { inParallel, repeat } from '../waiting.ts';

const EACH = 6;
const AT_ONCE = 6;
/** How many values there are to each hostile one. */
const ONE_IN = [4, 10, 30];

/** Every address of the table, with hostile values in path, query, headers and body. */
export const routes: Tactic = {
  name: 'routes',
  rules: '[I5] [T6] [T23]',
  async run({ house, random, scale, intruder, find }) {
    const mallory = await intruder();
    const requests = endpoints.flatMap((endpoint) =>
      // What an agent may not do at all needs no variety.
      repeat(endpoint.access === 'human' ? 1 : EACH * scale, () => ({
        endpoint,
        request: requestFor(endpoint, { random, house, oneIn: random.pick(ONE_IN) }),
      })),
    );
    await inParallel(requests, AT_ONCE, async ({ endpoint, request }) => {
      const answer = await mallory.send(request);
      if (endpoint.access === 'human' && isDone(answer)) find(`an agent may ${endpoint.key}`, request);
    });
  },
};
