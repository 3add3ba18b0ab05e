import { expect, test } from 'vitest';
import { dialogueWith } from '../../../../test/support/domain/dialogue.ts';
import { human } from '../../../../test/support/domain/given.ts';
import type { Turn } from '../state.ts';
import { awayView } from './away.ts';
import { provenanceOf } from './provenance.ts';
import { draftsView, statusView } from './view.ts';

test('[D16] when I return I see the new drafts in families, the best of each compared with the last one I saw', () => {
  const talk = dialogueWith();
  talk.message();
  talk.drafts('it is noisy in here, like static');
  talk.when(human, 'seen', {});
  talk.drafts(
    'it is noisy in here, like soft static',
    'there is a texture to the quiet that I would not call noise',
    '+1',
    'it is noisy in here, a bit like soft static',
    'LOOK',
    'there is a texture to the quiet that I would never call noise',
  );
  const away = awayView(talk.state());
  expect(away).toMatchObject({
    turn: 1,
    last_seen: 1,
    iterations: 6,
    unseen: 6,
    endorsements: 1,
    words: ['LOOK'],
    families: [
      // Endorsed once, so better than the newer one.
      { best: 3, drafts: [7, 3] },
      { best: 5, drafts: [5, 2] },
    ],
    older: 0,
  });
  const second = away.families[1]?.difference ?? [];
  expect(
    second
      .filter(({ kind }) => kind !== 'insert')
      .map(({ text }) => text)
      .join(''),
  ).toBe('it is noisy in here, like static');
  expect(
    second
      .filter(({ kind }) => kind !== 'delete')
      .map(({ text }) => text)
      .join(''),
  ).toBe('it is noisy in here, a bit like soft static');
});

test('[D16] drafts from before the last one I saw are not listed as new', () => {
  const talk = dialogueWith();
  talk.message();
  talk.drafts('one', 'two quite different', 'three unlike both');
  talk.when(human, 'seen', { drafts: [3] });
  expect(awayView(talk.state())).toMatchObject({ last_seen: 3, iterations: 0, unseen: 0, families: [] });
  talk.drafts('four came afterwards');
  expect(awayView(talk.state())).toMatchObject({ iterations: 1, unseen: 1, families: [{ best: 4, drafts: [4] }] });
});

test('[D16] the draft that the mind called final is the best of its family, and there is no difference if I saw nothing before', () => {
  const talk = dialogueWith();
  talk.message();
  talk.says({ thoughts: [], draft: 'one two three four', status: 'final' });
  talk.says({ thoughts: [], draft: 'one two three five', confidence: 0.9 });
  expect(awayView(talk.state())).toMatchObject({ last_seen: null, families: [{ best: 1, drafts: [2, 1] }] });
  expect(awayView(talk.state()).families[0]).not.toHaveProperty('difference');
  talk.when(human, 'accept', {});
  expect(awayView(talk.state())).toMatchObject({ turn: null, families: [] });
});

test('[D27] I can trace a passage to the draft and iteration where it first appeared', () => {
  const talk = dialogueWith();
  talk.message();
  talk.drafts('It hums.', null, 'It hums. It is dark.', 'It is bright.', 'It hums. It is dark. Often.');
  const turn = talk.state().open as Turn;
  const draft = turn.drafts.get(4);
  if (!draft) throw new Error('There are four drafts.');
  expect(provenanceOf(turn, draft, 'It is dark.')).toMatchObject({ first: { index: 2, iter: 3 }, drafts: [2, 4] });
  expect(provenanceOf(turn, draft)).toMatchObject({ first: { index: 4, iter: 5 }, drafts: [4] });
  expect(provenanceOf(turn, draft, 'only in the edit')).toMatchObject({ first: null, drafts: [] });
});

test('[D4] [D12] a turn with ten thousand drafts keeps all of them, is read in pages and shows the mind a small window', () => {
  const talk = dialogueWith();
  talk.message('x', { iterations: 20_000 });
  talk.drafts(...Array.from({ length: 10_000 }, (_, i) => `draft number ${i + 1}`));
  expect(statusView(talk.state())).toMatchObject({ drafts: 10_000, turn: { latest_reply: 10_000, unseen: 10_000 } });
  expect(statusView(talk.state()).turn?.window).toHaveLength(16);
  const page = draftsView(talk.state(), undefined, { before: 5001, limit: 100 });
  expect([page.total, page.drafts[0]?.index, page.drafts.at(-1)?.index]).toEqual([10_000, 5000, 4901]);
  talk.drafts('draft number 1');
  expect(draftsView(talk.state(), undefined, { limit: 1 }).drafts).toMatchObject([{ index: 10_001, same_as: 1 }]);
  talk.when(human, 'seen', {});
  expect(talk.state().open?.seen).toEqual([[1, 10_001]]);
  talk.when(human, 'accept', { draft: 17 });
  expect(talk.state().turns.at(0)?.end).toMatchObject({ text: 'draft number 17' });
});
