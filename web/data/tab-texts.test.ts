import { expect, test } from 'vitest';
import { textsOfOthers } from './tab-texts.ts';

test('[I11] a tab has its own text; the text of other tabs, and of an older page, can become its own', () => {
  const names = ['unsent.t1@me', 'unsent.t1@other', 'unsent.t1.draft-2@other', 'unsent.t1', 'scratch.t1.human@other'];
  expect(textsOfOthers(names, 't1', 'me')).toEqual([
    { name: 'unsent.t1@other', owner: 'other', ownName: 'unsent.t1@me' },
    { name: 'unsent.t1.draft-2@other', owner: 'other', ownName: 'unsent.t1.draft-2@me' },
    { name: 'unsent.t1', owner: '', ownName: 'unsent.t1@me' },
    { name: 'scratch.t1.human@other', owner: 'other', ownName: 'scratch.t1.human@me' },
  ]);
});

test('[I11] texts of other threads and what is not text stay where they are', () => {
  const names = ['unsent.t10@other', 'unsent.t2.t1@other', 'outbox.t1.page-1', 'seen', 'tab.t1'];
  expect(textsOfOthers(names, 't1', 'me')).toEqual([]);
});

test('[I11] without locks all tabs of a browser share one text', () => {
  expect(textsOfOthers(['unsent.t1', 'unsent.t1.steer'], 't1', '')).toEqual([]);
});
