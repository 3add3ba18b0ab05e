import { expect, test } from 'vitest';
import type { LoomEvent } from '../../../src/core/loom/events.ts';
import { announcementOf } from './announcement.ts';

const announce = (type: LoomEvent['type'], content: object, from = 'ana') =>
  announcementOf({ type, content, from } as LoomEvent, 'ana');

test('[I15] a screen reader reads the continuation that is shown, and how many there are', () => {
  const choices = [{ content: '' }, { content: 'a mill' }];
  expect(announce('generation.finished', { choices, shown: 1 })).toMatch(/^2 .*a mill$/);
  expect(announce('generation.finished', { choices: [{ content: 'a well' }], shown: 0 })).toMatch(/^1 .*a well$/);
});

test('[I15] a screen reader tells me what others do, and not what I just typed', () => {
  const commit = (edits: readonly object[], from?: string) => announce('loom.committed', { edits }, from);
  expect(commit([{}])).toBeUndefined();
  expect(commit([{}], 'bea')).toMatch(/^bea /);
  expect(commit([], 'bea')).not.toBe(commit([{}], 'bea'));
  expect(announce('generation.requested', {}, 'bea')).toBeUndefined();
  expect(announce('generation.requested', {})).toMatch(/\S/);
});

test('[I15] a screen reader reads why an exploration stopped', () => {
  expect(announce('exploration.turned', { to: 'paused', reason: 'the budget is used up' })).toContain(
    'paused, the budget is used up',
  );
});
