import { describe, expect, test } from 'vitest';
import { findEventProblem } from './check.ts';
import type { Event, Json } from './event.ts';

/** An event as another program could have written it. */
const event = (type: string, content: Json): Event => ({
  ...{ id: 'e1', ts: '2026-01-01T00:00:00.000Z', thread: 't1', seq: 1, type, from: 'system', to: 'all' },
  ...{ content, meta: {}, v: 1, hash: '' },
});

describe.each([
  ['wake.waiting', { participant: 'wise', event: 'e0', why: 'It is away.' }],
  ['run.waiting', { run: 1, why: 'It is away.' }],
  ['rounds.waiting', { run: 1, why: 'It is away.' }],
  ['generation.waiting', { generation: 'g1', why: 'It is away.' }],
] as const)('%s', (type, content) => {
  test('[L25] an imported wait must have a valid time', () => {
    expect(findEventProblem(event(type, { ...content, until: '2026-01-01T00:01:30.000Z' }))).toBeUndefined();
  });

  test.each(['', 'soon', '2026-13-45T99:99:99Z', '\u001b[31m'])(
    '[L25] an imported wait until %j is refused',
    (until) => {
      expect(findEventProblem(event(type, { ...content, until }))).toContain(
        '"until" that does not fit: must be a time',
      );
    },
  );
});
