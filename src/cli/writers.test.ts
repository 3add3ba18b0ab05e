import { expect, test } from 'vitest';
import type { Dialogue } from '../core/dialogue/state.ts';
import type { DialogueDraftView, DialogueRunView, IterationView } from '../core/dialogue/view/schema.ts';
import type { RoundRow } from '../core/exchange/view/schema.ts';
import { formatMinds } from './logos/format.ts';
import { draftLines, iterationLine, writersInRun } from './mind/format.ts';
import { summarizeMindRun } from './mind/run.ts';
import { createOutput } from './output/output.ts';

test('[C7] a run names every model that wrote in it, as its cost is that of all', () => {
  const iterations = [
    { content: { run: 1, model: 'old' } },
    { content: { run: 2, model: 'small', small: true } },
    { content: { run: 2, model: 'chat' } },
    { content: { run: 2, model: 'chat' } },
  ];
  const dialogue = { config: { self: 'mind_0' }, iterations } as unknown as Dialogue;
  expect(writersInRun(dialogue, { run: 2, done: 3 })).toBe('mind_0 (small, a small model; chat)');
  expect(writersInRun(dialogue, { run: 2, done: 1 })).toBe('mind_0 (chat)');
  expect(writersInRun(dialogue, { run: 3, done: 0 })).toBe('mind_0');
});

test('[C8] rounds name every model that thought in them', () => {
  const round = (...calls: object[]) => ({ calls }) as unknown as RoundRow;
  const minds = [
    { id: 'mind_0', model: null },
    { id: 'mind_1', model: 'later' },
  ];
  // The newest first, as views tell them.
  const rounds = [round({ author: 'mind_0', model: 'chat' }), round({ author: 'mind_0', model: 'small', small: true })];
  expect(formatMinds({ minds }, rounds)).toBe('mind_0 (small, a small model; chat), mind_1 (later)');
  expect(formatMinds({ minds }, [])).toBe('mind_0, mind_1 (later)');
});

test('[D28] a draft that came as prose says so in words that need no explanation', () => {
  const draft = { index: 1, iter: 1, text: 'Yes.', seen: true, signal: null, unstructured: true, chars: 4, after: 1 };
  const [head] = draftLines(
    { ...draft, ts: new Date(0).toISOString() } as DialogueDraftView,
    createOutput(false),
    80,
    0,
  );
  expect(head).toContain('plain text, without thoughts');
});

test('[D28] the terminal tells an answer of nothing from a silence that the mind chose', () => {
  const line = (more: object) =>
    iterationLine({ iter: 3, outcome: 'silence', thoughts: [], ...more } as never as IterationView, out, 80);
  const out = createOutput(false);
  expect(line({ empty: true })).toContain('The model’s answer was empty; counted as silence.');
  expect(line({})).not.toContain('nothing');

  const ended = { run: 1, state: 'ended', done: 3, reason: 'silence', budget: {}, since: '' };
  const run = { ...ended, spent: { iterations: 3, tokens: 0, money: 0 } } as DialogueRunView;
  expect(summarizeMindRun({ ...run, empty: true }, 'USD')).toMatch(
    /: the model’s answer was empty, counted as silence\.$/,
  );
  expect(summarizeMindRun(run, 'USD')).toMatch(/: the mind had nothing more to say\.$/);
});
