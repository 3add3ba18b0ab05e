import { expect, test } from 'vitest';
import type { GrowingText } from '../../../data/live-texts.ts';
import { readLiveDraft } from './live-draft.ts';

const growing = (text: string, start = 0): readonly GrowingText[] => [
  { thread: 't', from: 'mind_0', purpose: 'mind', job: 'j', text, start, since: 5 },
];
const read = (text: string, start = 0) => readLiveDraft(growing(text, start), 'mind_0', true);

test('[M12] the thoughts and the draft of an unfinished answer are read as they come', () => {
  expect(read('thoughts:\n  - Begin with the lake.\ndraft: |\n  The lake at da')).toEqual({
    ...{ thoughts: ['Begin with the lake.'], draft: 'The lake at da', since: 5, isCut: false },
  });
  expect(readLiveDraft(growing('draft: x'), 'mind_1', true)).toBeUndefined();
});

test.each(['draft: +', 'draft: +1', 'draft: WAI', 'draft: WAIT'])(
  '[M12] what may become a signal is not shown as a draft: %s',
  (text) => {
    expect(read(text)?.draft).toBeUndefined();
  },
);

test('[M12] whoever comes in the middle of an answer sees a draft only once it surely is one', () => {
  expect(read(' the lake.\n  - Then the reeds.', 40)).toEqual({ thoughts: [], since: 5, isCut: true });
  expect(read('the lake."], "draft": "The lake at', 40)).toMatchObject({ draft: 'The lake at', isCut: true });
  expect(read(' reeds.\ndraft: |\n  The lake at', 40)).toMatchObject({ draft: 'The lake at', isCut: true });
});
