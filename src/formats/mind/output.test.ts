import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { fuzzRuns, seeded } from '../../../test/support/random.ts';
import { type MalformedOutput, parseMindOutput } from './output.ts';

const draftOf = (text: string) => parseMindOutput(text);

describe('what a mind may write', () => {
  test('[D21] an output can have thoughts, a draft, confidence, status and clear', () => {
    const text =
      'thoughts:\n  - |\n    one\n    more\n  - two\ndraft: |\n  Hello.\n\n  Bye.\nconfidence: 0.8\nstatus: final\nclear: true\n';
    expect(parseMindOutput(text)).toEqual({
      thoughts: ['one\nmore', 'two'],
      draft: 'Hello.\n\nBye.',
      confidence: 0.8,
      status: 'final',
      clear: true,
    });
  });

  test.each([
    ['fenced', '```yaml\nthoughts: []\ndraft: |\n  Hi\n```'],
    ['fenced, with words around', 'Sure, here it is:\n\n```\nthoughts: []\ndraft: Hi\n```\nHope this helps!'],
    ['a fence that never closes', '```yaml\nthoughts: []\ndraft: Hi'],
    ['a preamble', 'Here is my answer:\nthoughts: []\ndraft: Hi'],
    ['a document mark', '---\nthoughts: []\ndraft: Hi\n...\nafterwards'],
    ['thinking aloud', '<think>\ndraft: no\n</think>\nthoughts: []\ndraft: Hi'],
    ['JSON', '{"thoughts": [], "draft": "Hi"}'],
    ['fenced JSON', '```json\n{\n  "thoughts": [],\n  "draft": "Hi"\n}\n```\nDone.'],
    ['quoted', 'thoughts: []\ndraft: "H\\u0069"'],
    ['quoted once', "thoughts: []\ndraft: 'Hi'"],
    ['folded', 'thoughts: []\ndraft: >-\n  Hi\n'],
    ['quoted keys', '"thoughts": []\n"draft": Hi'],
    ['line ends of Windows', 'thoughts: []\r\ndraft: |\r\n  Hi\r\n'],
    ['all of it indented', '  thoughts: []\n  draft: |\n    Hi\n'],
    ['no thoughts at all', 'draft: Hi'],
    [
      'keys nobody asked for',
      'mood:\n  deep: [1]\n- x: y\nthoughts: []\nnotes: |\n  draft: no\ndraft: Hi'.replace('- x: y\n', ''),
    ],
    ['a comment', 'thoughts: [] # none\ndraft: Hi # there'],
  ])('[D21] %s', (_, text) => {
    expect(parseMindOutput(text)).toEqual({ thoughts: [], draft: 'Hi' });
  });

  test.each([
    ['a plain text', 'thoughts: only one\ndraft: Hi', ['only one']],
    ['a block', 'thoughts: |\n  one\n  text\ndraft: Hi', ['one\ntext']],
    ['a list in brackets', "thoughts: [one, \"two, three\", 'it''s']\ndraft: Hi", ['one', 'two, three', "it's"]],
    ['a list at the margin', 'thoughts:\n- one\n- two\n  more\ndraft: Hi', ['one', 'two more']],
    ['items with a colon', 'thoughts:\n  - Note: this is one\ndraft: Hi', ['Note: this is one']],
    ['nothing', 'thoughts:\ndraft: Hi', []],
    ['empty items', 'thoughts:\n  -\n  - ""\n  - ~\ndraft: Hi', []],
  ])('[D21] thoughts can be written as %s', (_, text, thoughts) => {
    expect(parseMindOutput(text)).toEqual({ thoughts, draft: 'Hi' });
  });

  test.each([
    '+1',
    'no',
    'on',
    'yes',
    'off',
    'y',
    '2026-01-15',
    '12:30',
    '1_000',
    '0x1F',
    '1e3',
    '.5',
    'true',
    'NaN',
    '-',
    'Note: it is',
  ])('[D10] an unquoted %s keeps its spelling', (text) => {
    expect(draftOf(`thoughts: []\ndraft: ${text}`)).toEqual({ thoughts: [], draft: text });
    expect(draftOf(`thoughts: []\ndraft: |\n  ${text}`)).toEqual({ thoughts: [], draft: text });
  });

  test('[D10] numbers in JSON keep their spelling', () => {
    expect(parseMindOutput('{"thoughts": [1.0], "draft": 1.50}')).toEqual({ thoughts: ['1.0'], draft: '1.50' });
  });

  test.each(['', ' ', ' ~', ' null', ' |', ' ""', ' # later'])(
    '[D10] "draft:%s" is no draft or is reported as unreadable',
    (rest) => {
      const output = parseMindOutput(`thoughts: [x]\ndraft:${rest}\n`);
      if (rest === ' # later') expect(output).toMatchObject({ malformed: expect.stringContaining('comment') });
      else expect(output).toEqual({ thoughts: ['x'] });
    },
  );

  test.each(['~', 'null', 'no'])('[D10] a quoted %s is text', (text) => {
    expect(parseMindOutput(`draft: "${text}"`)).toEqual({ thoughts: [], draft: text });
    expect(parseMindOutput(`draft: '${text}'`)).toEqual({ thoughts: [], draft: text });
    expect(parseMindOutput(JSON.stringify({ draft: text }))).toEqual({ thoughts: [], draft: text });
  });

  test('[D21] a reply can contain code and fences', () => {
    const text = '```yaml\nthoughts: []\ndraft: |\n  Try:\n\n  ```js\n  draft: [1]\n  ```\n  # heading\n```';
    expect(parseMindOutput(text)).toMatchObject({ draft: 'Try:\n\n```js\ndraft: [1]\n```\n# heading' });
  });

  test('[L15] characters that no store keeps are made visible', () => {
    expect(parseMindOutput('{"draft": "a\\u0000b\\ud800"}')).toEqual({
      thoughts: [],
      draft: 'a\ufffdb\ufffd',
      cleaned: true,
    });
  });

  test('[D4] meaningless fields are ignored', () => {
    for (const more of [
      'confidence: 2',
      'confidence: high',
      'confidence: -1',
      'status: maybe',
      'clear: perhaps',
      'confidence:',
    ])
      expect(parseMindOutput(`draft: Hi\n${more}`)).toEqual({ thoughts: [], draft: 'Hi' });
  });
});

describe('without a form', () => {
  test.each([
    ['plain text', 'I think the answer is 4.'],
    ['several paragraphs', 'Well:\n\nIt is a hum.\n\nAnd it stays.'],
    ['a list', '- one\n- two'],
    ['code', 'Try this:\n\n```js\nf({\n  a: 1,\n});\n```\n\nIt prints 1.'],
    ['a heading with a colon', 'Ingredients:\n- beans\n- water'],
    ['a signal', '+1'],
  ])('[D28] %s is a draft, marked unstructured', (_, text) => {
    expect(parseMindOutput(`<think>hm</think>\n${text}\n`)).toEqual({ thoughts: [], draft: text, unstructured: true });
  });

  test.each([
    ['nothing', ''],
    ['blank', ' \n\t\n'],
    ['nothing behind thinking aloud', '<think>\nIt stands.\n</think>\n'],
  ])('[D28] %s is silence', (_, text) => {
    expect(parseMindOutput(text)).toEqual({ thoughts: [] });
  });
});

describe('malformed', () => {
  test.each([
    ['thinking aloud without an answer', '<think>\nI think the answer is 4.'],
    ['an old key', 'messages:\n  - hello'],
    ['an empty object', '{}'],
    ['a draft that is a list', 'draft:\n  - one\n  - two'],
    ['a draft that is a list in brackets', 'draft: [one]'],
    ['a draft that is a mapping', 'draft: {a: b}'],
    ['an alias', 'thoughts:\n  - &a one\n  - *a'],
    ['a tag', 'draft: !!binary aGk='],
    ['text that is not indented', 'thoughts: []\ndraft: |\nHello\nthere'],
    ['something behind the YAML', 'thoughts: []\ndraft: Hi\nHope this helps!'],
    ['a draft twice', 'draft: one\ndraft: two'],
    ['a quote never closed', 'draft: "one'],
    ['text behind a quote', 'draft: "one" two'],
    ['broken JSON', '{"draft": "a'],
    ['JSON with single quotes', "{'draft': 'a'}"],
    ['a list of lists', 'thoughts:\n  - - one'],
    ['JSON of lists', '{"thoughts": [["a"]]}'],
    ['JSON too deep', `{"draft": ${'['.repeat(40)}${']'.repeat(40)}}`],
    ['too many thoughts', `thoughts: [${Array.from({ length: 65 }, () => 'x').join()}]`],
    ['too long', `draft: ${'x'.repeat(256 * 1024)}`],
    ['tabs for indentation', 'draft: |\n\tHello'],
  ])('[D11] %s is reported and never counts as silence', (_, text) => {
    const { malformed, mend, ...rest } = parseMindOutput(text) as MalformedOutput;
    expect(malformed).toMatch(/^.{10,}$/);
    expect(rest).toEqual({});
    // What is said to the model, and to it alone, stands apart.
    const orders = /\b(Write|Use|Quote|Indent|Begin|must)\b/;
    expect(malformed).not.toMatch(orders);
    if (mend !== undefined) expect(mend).toMatch(/write|use|quote|indent|begin/i);
  });
});

describe('at random', () => {
  const runs = fuzzRuns(3000);

  test(`[D21] ${runs} hostile outputs never throw, and what is accepted can be stored`, () => {
    const seed = Number(process.env.HEDDLE_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
    const random = seeded(seed);
    for (let i = 0; i < runs; i++) {
      const text = hostile(random);
      const output = (() => {
        try {
          return parseMindOutput(text);
        } catch (error) {
          throw new Error(`seed ${seed}, ${JSON.stringify(text)}`, { cause: error });
        }
      })();
      if ('malformed' in output) continue;
      for (const each of [...output.thoughts, output.draft ?? '']) {
        expect(each.isWellFormed() && !each.includes('\0'), `seed ${seed}`).toBe(true);
      }
    }
  });

  test(`[D21] ${runs} outputs written by a YAML library are read as they were meant`, () => {
    const seed = Number(process.env.HEDDLE_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
    const random = seeded(seed);
    for (let i = 0; i < runs; i++) {
      const text = () => sentence(random);
      const expected = { thoughts: Array.from({ length: random.below(4) }, text), draft: text() };
      const style = random.pick([
        {},
        { defaultStringType: 'QUOTE_DOUBLE' },
        { blockQuote: 'literal' },
        { lineWidth: 0 },
      ] as const);
      const written = random.below(5) === 0 ? JSON.stringify(expected) : stringify(expected, style);
      const output = parseMindOutput(written);
      expect(output, `seed ${seed}\n${written}`).toEqual({
        thoughts: expected.thoughts.map((each) => each.trim()),
        draft: expected.draft.trimEnd(),
      });
    }
  });
});

type Random = ReturnType<typeof seeded>;

const PIECES = [
  'thoughts:',
  'draft:',
  'clear: true',
  'status: ',
  '\n',
  '\n  ',
  '\n\n',
  ' ',
  '- ',
  '| ',
  '|\n  ',
  '>',
  '>-\n ',
  '"',
  "'",
  '[',
  ']',
  '{',
  '}',
  ',',
  ': ',
  '#',
  '&a ',
  '*a',
  '!t',
  '```',
  '```yaml\n',
  '~',
  'null',
  '+1',
  '\\',
  '\\u00',
  '\\ud800',
  '\0',
  '\ud800',
  '\t',
  '\r',
  '\u2028',
  '😀',
  'text',
  '---\n',
  '...\n',
  '<think>',
  '</think>',
  '%',
  '?',
  '{"draft": "',
  '"thoughts": [',
];

function hostile(random: Random): string {
  let text = '';
  for (let n = random.below(40); n >= 0; n--) text += random.pick(PIECES);
  return text;
}

const WORDS = [
  'it',
  'is',
  'a: b',
  '# no',
  '- x',
  "it's",
  '"q"',
  '+1',
  'null',
  '😀',
  'é',
  '\\',
  '*x*',
  '`code`',
  '[1]',
  '{2}',
  '&',
  '!',
  '%',
  '@',
  '|',
  '>',
  '12:30',
];

function sentence(random: Random): string {
  const lines = Array.from({ length: 1 + random.below(4) }, () =>
    Array.from({ length: 1 + random.below(6) }, () => random.pick(WORDS)).join(' '),
  );
  const text = lines.join(random.pick(['\n', '\n\n', '\n  ']));
  // Alone, these mean that there is nothing.
  return text.trim() === '' ? 'x' : `w ${text}`;
}
