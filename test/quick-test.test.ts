import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventDefinition } from '../src/core/events/define.ts';
import type { Event, Json } from '../src/core/events/event.ts';
import { manifest } from '../src/core/events/manifest.ts';
import { createQuickTest } from '../src/core/events/quick-test.ts';

const LOGS = join(import.meta.dirname, 'logs');
/** An array with a hole, which is stored as null. */
const HOLE = Object.assign([], { length: 1 });
const WRONG: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  0.5,
  2 ** 53,
  Number.NaN,
  '',
  'x',
  [],
  ['x'],
  HOLE,
  {},
];

const events = readdirSync(LOGS)
  .filter((name) => name.endsWith('.jsonl'))
  .flatMap((name) => readFileSync(join(LOGS, name), 'utf8').trim().split('\n'))
  .map((line) => JSON.parse(line) as Event)
  .filter(({ type, v }) => manifest.has(type) && manifest.get(type)?.v === v);

/** The value with every field in it, at any depth, left out, replaced or joined by one that nobody knows. */
function* variantsOf(value: unknown): Generator<unknown> {
  yield* WRONG;
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const [i, item] of value.slice(0, 2).entries()) {
      for (const other of variantsOf(item)) yield value.with(i, other);
    }
    return;
  }
  yield { ...value, nobody_knows: 1 };
  for (const [name, inner] of Object.entries(value)) {
    const { [name]: _, ...rest } = value as Record<string, unknown>;
    yield rest;
    for (const other of variantsOf(inner)) yield { ...rest, [name]: other };
  }
}

test('[L3] the quick test of an event takes what was written, and nothing that the schema refuses', () => {
  const types = Map.groupBy(events, ({ type }) => type);
  expect(types.size).toBeGreaterThan(40);
  let accepted = 0;
  let refused = 0;
  for (const [type, list] of types) {
    const { schema } = manifest.get(type) as EventDefinition;
    const isFit = createQuickTest(schema);
    const contents = new Map(list.map(({ content }): [string, Json] => [JSON.stringify(content), content]));
    for (const content of [...contents.values()].slice(0, 5)) {
      expect(isFit(content), type).toBe(true);
      for (const variant of variantsOf(content)) {
        if (isFit(variant)) {
          expect(schema.safeParse(variant).success, `${type} ${JSON.stringify(variant)}`).toBe(true);
          accepted++;
        } else refused++;
      }
    }
  }
  expect(Math.min(accepted, refused)).toBeGreaterThan(1000);
});
