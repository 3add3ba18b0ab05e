import { expect, test } from 'vitest';
import { GenerationFinished } from '../loom/events.ts';
import type { Event, Json } from './event.ts';
import { readEvent } from './read.ts';

const finished = { generation: 'g1', at: 'root', choices: [], model: 'base' };

function storedEvent(type: string, v: number, content: Json): Event {
  return {
    ...{ id: 'e1', ts: '2026-01-01T00:00:00.000Z', thread: 't1', seq: 1, type, from: 'base', to: 'all' },
    ...{ content, meta: { by: 'agent' }, v, hash: 'h' },
  };
}

test('[L3] an event of an older version is read like the newest one and stays stored as it was', () => {
  const event = storedEvent('generation.finished', 1, finished);
  expect(readEvent(event)).toEqual({ ...event, v: 2, content: { ...finished, shown: 0 } });
  expect(event).toEqual(storedEvent('generation.finished', 1, finished));
  const { content } = GenerationFinished.read(event) ?? {};
  expect(GenerationFinished.schema.safeParse(content).success).toBe(true);
});

test('[L3] [W4] an old generation that named the choice to show still shows that choice', () => {
  const event = storedEvent('generation.finished', 1, { ...finished, shown: 2 });
  expect(GenerationFinished.read(event)?.content.shown).toBe(2);
});

test.each([
  ['of the newest version', 'generation.finished', 2],
  ['of a version to come', 'generation.finished', 3],
  ['of a type that has only one version', 'loom.switched', 1],
  ['of a type that nobody knows yet', 'dream.woven', 1],
])('[L3] an event %s is returned unchanged', (_, type, v) => {
  const event = storedEvent(type, v, finished);
  expect(readEvent(event)).toBe(event);
});

test('[L3] an event of another type is not read as this type', () => {
  expect(GenerationFinished.read(storedEvent('generation.failed', 1, finished))).toBeUndefined();
});
