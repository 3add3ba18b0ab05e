import { expect, test } from 'vitest';
import { isScalar, type Node, parseDocument, Scalar, visit } from 'yaml';
import { fuzzRuns, seeded } from '../../../test/support/random.ts';
import type { DialogueMindInput } from '../../core/dialogue/runs/mind-input.ts';
import { writeDialogueInput } from './dialogue-input.ts';

const EMPTY: DialogueMindInput = {
  meta: {
    self: 'mind_0',
    iter: 247,
    user_time: '2026-01-15T14:30:00+11:00',
    user: 'Ana',
    engagement: 'reviewing',
    attention: { level: 'thinking', reason: '#4 was just written, still thinking.' },
    limits: { draft_chars: 2000, draft_count: 16 },
  },
  thoughts: [],
  recent: [],
  recalled: [],
  history: [],
  awaiting: { age: 42, text: 'is it too noisy in there?\nis it strange?' },
  steer: [],
  drafts: [],
};

test('[D20] the input has the documented shape, comments included', () => {
  const text = writeDialogueInput({
    ...EMPTY,
    thoughts: [
      { id: 9, age: 50, text: 'a thought', cluster: { id: 3, size: 8 } },
      { id: 2, age: 12, text: 'another', cluster: null },
    ],
    history: [{ turn: 1, message: { age: 150, text: 'first' }, reply: { age: 142, text: 'answer' } }],
    steer: [{ age: 3, text: 'shorter' }],
    drafts: [
      { index: 2, age: 38, user_seen: true, text: 'let me sit with that' },
      { index: 3, age: 15, user_seen: false, text: 'texture' },
    ],
  });
  for (const line of [
    '  - |  # age: 50, cluster: {id: 3, size: 8}\n    a thought',
    '  - |  # age: 12, cluster: {~}\n    another',
    '  awaiting:\n    age: 42\n    text: |\n      is it too noisy in there?\n      is it strange?',
    '    - from: user\n      age: 150\n      text: |\n        first',
    '    - |  # #3, age: 15, user_seen: false\n      texture',
    '    - |  # age: 3\n      shorter',
  ]) {
    expect(text).toContain(line);
  }
  expect(valuesOf(text)).toMatchObject({
    meta: {
      ...EMPTY.meta,
      iter: '247',
      limits: { draft_chars: '2000', draft_count: '16' },
    },
    thinking_pool: ['a thought', 'another'],
    dialogue: { awaiting: { age: '42' }, drafts: ['let me sit with that', 'texture'], steer: ['shorter'] },
  });
});

test('[D20] history and pool are present even when they are empty', () => {
  expect(valuesOf(writeDialogueInput(EMPTY))).toMatchObject({
    thinking_pool: [],
    dialogue: { history: [], drafts: [] },
  });
});

const runs = fuzzRuns(400);

test(`[D20] any text survives a round trip, ${runs} times`, () => {
  const seed = Number(process.env.HEDDLE_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const random = seeded(seed);
  const nastyText = () =>
    Array.from({ length: random.below(12) }, () => random.pick(PIECES))
      .join('')
      .toWellFormed();
  for (let run = 0; run < runs; run++) {
    const [thought, message, reply, asked, note, draft, user] = Array.from({ length: 7 }, nastyText) as string[];
    const text = writeDialogueInput({
      ...EMPTY,
      meta: { ...EMPTY.meta, user: user as string },
      thoughts: [{ id: 1, age: 1, text: thought as string, cluster: null }],
      recent: [{ id: 2, age: 1, text: draft as string, cluster: null }],
      recalled: [{ id: 3, age: 1, text: note as string, cluster: null }],
      history: [{ turn: 1, message: { age: 1, text: asked as string }, reply: { age: 1, text: reply as string } }],
      awaiting: { age: 1, text: message as string },
      steer: [{ age: 1, text: note as string }],
      drafts: [{ index: 1, age: 1, user_seen: true, text: draft as string }],
    });
    expect(valuesOf(text), `seed ${seed}, run ${run}\n${text}`).toMatchObject({
      meta: { user },
      thinking_pool: [thought],
      recent_thoughts: [draft],
      recalled_thoughts: [note],
      dialogue: {
        history: [
          { from: 'user', text: asked },
          { from: 'self', text: reply },
        ],
        awaiting: { text: message },
        steer: [note],
        drafts: [draft],
      },
    });
  }
});

const PIECES = [
  'a',
  'word',
  ' ',
  '  ',
  '\n',
  '\n\n',
  '\n ',
  '\t',
  '- ',
  ': ',
  '# ',
  '|',
  '>',
  '"',
  "'",
  '\\',
  '{',
  '}',
  '[',
  ']',
  '&a',
  '*a',
  '!t',
  '%',
  '@',
  '`',
  '---\n',
  '...\n',
  '~',
  'null',
  'thoughts:',
  '\ndraft: |\n  x',
  '\0',
  '\u0007',
  '\u001b[31m',
  '\r',
  '\r\n',
  '\u0085',
  '\u2028',
  '\u2029',
  '\ufeff',
  '\ufffe',
  '😀',
  'é',
  'א',
  '\u202e',
  '\ud800',
  '\u00a0',
];

/** As a YAML library reads it; the last line feed of a block is the block's own. */
function valuesOf(text: string): unknown {
  const document = parseDocument(text, { schema: 'failsafe' });
  expect(document.errors, text).toEqual([]);
  visit(document, {
    Scalar(_, node: Scalar) {
      if (node.type === Scalar.BLOCK_LITERAL) node.value = String(node.value).replace(/\n$/, '');
    },
  });
  expect(isScalar(document.contents as Node)).toBe(false);
  return document.toJS();
}
