import { endpoints } from '../../../src/protocol/routes.ts';
import type { Sent } from '../caller.ts';
import { costOf } from '../cost.ts';
import { requestFor } from '../endpoints.ts';
import { type Generating, type Shape, shapeOf } from '../generate.ts';
import { BEE } from '../house.ts';
import type { Scene, Tactic } from '../tactic.ts';
import { BAITS } from '../values.ts';

const LENGTH = 48_000;
/** Below this a request is cheap whatever it grows like, and not worth asking again. */
const CHEAP_SECONDS = 0.15;
/** Twice the input may cost twice as much, and a little more; four times is quadratic. */
const MOST_GROWTH = 3;

/** Long texts on which careless expressions go back and forth, wherever a text of any length may stand. */
export const growth: Tactic = {
  name: 'growth',
  rules: '[T23]',
  alone: true,
  async run(scene) {
    const { house, random, intruder } = scene;
    const mallory = await intruder();
    const how: Generating = { random, house, oneIn: 0 };
    for (const endpoint of endpoints) {
      if (!endpoint.body || endpoint.access !== 'participant') continue;
      for (const field of longFields(shapeOf(endpoint.body))) {
        const request = requestFor(endpoint, how);
        for (const [name, bait] of Object.entries(BAITS)) {
          const cost = (length: number) =>
            costOf(house, () => mallory.send({ ...withField(request, field, bait(length)), patienceMs: 60_000 }));
          // One is enough: what was stored of it is read again and again.
          if (!(await growsLinearly(scene, `${endpoint.key} with ${name} in "${field.join('.')}"`, cost))) break;
        }
      }
    }
  },
};

/** Asks with a long text, and only where that is dear with half of it. */
async function growsLinearly(
  { find }: Scene,
  what: string,
  cost: (length: number) => Promise<number>,
): Promise<boolean> {
  if ((await cost(LENGTH / 2)) < CHEAP_SECONDS / 2) return true;
  const least = async (length: number) => Math.min(await cost(length), await cost(length));
  const [half, whole] = [await least(LENGTH / 2), await least(LENGTH)];
  if (whole < CHEAP_SECONDS || whole / half < MOST_GROWTH) return true;
  find(`${what} costs more than ${MOST_GROWTH} times as much when the text is twice as long`, {
    characters: [LENGTH / 2, LENGTH],
    seconds: [half, whole],
  });
  return false;
}

/** Where in a body a text of such a length may stand. */
function longFields(shape: Shape, root = shape, depth = 0): readonly string[][] {
  if (depth > 4) return [];
  const inner = (next: Shape) => longFields(next, root, depth + 1);
  const options = shape.anyOf ?? shape.oneOf ?? shape.allOf;
  if (options) return unique(options.flatMap(inner));
  return unique(
    Object.entries(shape.properties ?? {}).flatMap(([name, property]) =>
      property.type === 'string' && !property.enum && property.const === undefined && !property.pattern
        ? (property.maxLength ?? LENGTH) >= LENGTH
          ? [[name]]
          : []
        : inner(property).map((rest) => [name, ...rest]),
    ),
  );
}

function unique(fields: readonly string[][]): readonly string[][] {
  return [...new Map(fields.map((field) => [field.join('.'), field])).values()];
}

function withField(request: Sent, field: readonly string[], text: string): Sent {
  const body = JSON.parse(request.text ?? '{}') as Record<string, unknown>;
  let at = body;
  for (const name of field.slice(0, -1)) {
    at[name] = typeof at[name] === 'object' && at[name] !== null ? at[name] : {};
    at = at[name] as Record<string, unknown>;
  }
  at[field.at(-1) as string] = text;
  // What an event's content may be depends on its type.
  if (field[0] === 'content') Object.assign(body, { type: field.length > 1 ? 'task' : 'message', to: BEE });
  return { ...request, text: JSON.stringify(body) };
}
