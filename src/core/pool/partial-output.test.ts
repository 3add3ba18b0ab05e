import { expect, test } from 'vitest';
import { readPartialOutput } from './partial-output.ts';

const YAML =
  'thoughts:\n  - |\n    one\n    more\n  - "two"\ndraft: |\n  Dear neighbours,\n\n    the tap\nstatus: final\n';

test('[M12] a draft is readable from its first word on, without the marks around it', () => {
  const drafts = Array.from(YAML, (_, at) => readPartialOutput(YAML.slice(0, at)).draft).filter(Boolean);
  expect(drafts[0]).toBe('D');
  expect(drafts.at(-1)).toBe('Dear neighbours,\n\n  the tap');
  for (const draft of drafts) expect('Dear neighbours,\n\n  the tap').toContain(draft);
});

test('[M12] thoughts are readable one by one as they are written', () => {
  expect(readPartialOutput(YAML.slice(0, YAML.indexOf('ne') + 1)).thoughts).toEqual(['on']);
  expect(readPartialOutput(YAML)).toEqual({ thoughts: ['one\nmore', 'two'], draft: 'Dear neighbours,\n\n  the tap' });
});

test('[M12] an answer in JSON is readable while it is written', () => {
  const json = '```json\n{"thoughts": ["a \\"b\\"", "c"], "confidence": 0.5, "draft": "First line\\nsec';
  expect(readPartialOutput(json)).toEqual({ thoughts: ['a "b"', 'c'], draft: 'First line\nsec' });
  expect(readPartialOutput('{"thoughts": [], "draft": "a \\u00e')).toEqual({ thoughts: [], draft: 'a ' });
});

test('[D28] prose is shown as a draft, and half a key as nothing', () => {
  expect(readPartialOutput('Dear neighbours, the tap')).toEqual({ thoughts: [], draft: 'Dear neighbours, the tap' });
  for (const text of ['', 'tho', 'thoughts:', '```yaml\ndraf', '{', '{"dra'])
    expect(readPartialOutput(text)).toEqual({ thoughts: [] });
});

test('[T23] an answer of a megabyte without any structure is read at once', () => {
  for (const unit of ['{"', '"\\', '- ', 'draft: |\n', '[', '\\u'])
    expect(readPartialOutput(unit.repeat(300_000))).toBeDefined();
});
