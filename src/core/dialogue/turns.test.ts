import { expect, test } from 'vitest';
import { dialogueWith } from '../../../test/support/domain/dialogue.ts';
import { human, typesOf } from '../../../test/support/domain/given.ts';
import type { Actor, Event } from '../events/event.ts';
import { dialogueCommands } from './commands.ts';
import { archiveLine } from './view/archive.ts';
import { draftsView, historyForMind, historyView, statusView } from './view/view.ts';

const other: Actor = { id: 'ben', kind: 'human' };

test('[D1] a message makes an idle dialogue wait for a reply, and no second message is allowed until then', () => {
  const talk = dialogueWith();
  expect(statusView(talk.state()).state).toBe('idle');
  expect(typesOf(talk.message('one', null))).toEqual(['turn.opened']);
  expect(statusView(talk.state())).toMatchObject({ state: 'awaiting', turn: { turn: 1, message: 'one', by: 'ana' } });
  const refused = talk.message('two') as { code: string; message: string };
  expect(refused.code).toBe('draft_pending');
  for (const way of ['accept', 'steer', 'withdraw']) expect(refused.message).toContain(way);
});

test('[D2] an idle dialogue cannot run', () => {
  const talk = dialogueWith();
  for (const name of ['run', 'step'] as const) expect(talk.when(human, name, {})).toMatchObject({ code: 'idle' });
  expect(talk.jobs()).toEqual([]);
});

test('[D3] an iteration is one event that names what the mind was shown, and then the next one starts', () => {
  const talk = dialogueWith();
  talk.message();
  expect(talk.jobs()).toMatchObject([
    { key: 'iterate-1-1-1-0-0', kind: 'mind.iterate', input: { turn: 1, iter: 1, run: 1 } },
  ]);
  const [event] = talk.says({ thoughts: ['hm'], draft: 'Yes.' }) as Event[];
  expect(event).toMatchObject({
    type: 'iteration.ended',
    from: 'mind_0',
    content: { iter: 1, outcome: 'draft', seed: 7, prompt: 'p1', thoughts: ['hm'], draft: { index: 1, text: 'Yes.' } },
  });
  expect(talk.jobs()[0]?.key).toBe('iterate-1-2-1-0-0');
});

test('[D4] a draft keeps its index, and one that is repeated becomes the latest again', () => {
  const talk = dialogueWith();
  talk.message();
  talk.drafts('first', 'second');
  talk.says({ thoughts: [], draft: 'first', confidence: 0.8, status: 'final' });
  expect(draftsView(talk.state())).toMatchObject({
    turn: 1,
    drafts: [
      { index: 3, iter: 3, text: 'first', same_as: 1, confidence: 0.8, status: 'final', seen: false, signal: null },
      { index: 2, text: 'second' },
      { index: 1, text: 'first' },
    ],
  });
  expect(talk.when(human, 'accept', {})).toMatchObject([{ content: { turn: 1, draft: 3 } }, { type: 'run.ended' }]);
});

test('[D5] accepting takes the latest reply, never a signal, and adds the turn to the history', () => {
  const talk = dialogueWith();
  talk.message('noisy?');
  talk.drafts('static', 'texture', '+1', '+1');
  talk.when(human, 'accept', {});
  expect(historyView(talk.state()).turns).toMatchObject([
    { turn: 1, message: 'noisy?', reply: 'texture', accepted_draft_index: 2 },
  ]);
  expect(statusView(talk.state())).toMatchObject({ state: 'idle', drafts: 0, attention: { level: 'idle' } });
  expect(draftsView(talk.state()).drafts).toEqual([]);
  expect(talk.jobs()).toEqual([]);
});

test('[D5] accepting by index takes exactly that draft, and refuses a missing one, a "+1" or a second accept', () => {
  const talk = dialogueWith();
  expect(talk.when(human, 'accept', {})).toMatchObject({ code: 'idle' });
  talk.message();
  expect(talk.when(human, 'accept', {})).toMatchObject({ code: 'unknown_draft' });
  talk.drafts('a', 'b', '+1');
  expect(talk.when(human, 'accept', { draft: 9 })).toMatchObject({ code: 'unknown_draft', draft: 9 });
  const soft = talk.when(human, 'accept', { draft: 3 }) as { code: string; message: string };
  expect(soft.code).toBe('not_a_reply');
  expect(soft.message).toContain('accept 2');
  expect(typesOf(talk.when(human, 'accept', { draft: 1 }))).toEqual(['turn.accepted', 'run.ended']);
  const again = talk.when(other, 'accept', { draft: 2 }) as { code: string; message: string };
  expect(again.code).toBe('idle');
  expect(again.message).toContain('draft #1, accepted by ana');
});

test('[D5] accepting in a turn that is over does not affect the next turn', () => {
  const talk = dialogueWith();
  talk.message('one');
  talk.drafts('a', 'b');
  talk.when(human, 'accept', { draft: 2, turn: 1 });
  talk.message('two');
  talk.drafts('c');
  expect(talk.when(other, 'accept', { draft: 1, turn: 1 })).toMatchObject({ code: 'turn_over' });
  expect(statusView(talk.state()).state).toBe('awaiting');
});

test('[D5] accepting with edits keeps both texts and their difference', () => {
  const talk = dialogueWith();
  talk.message();
  talk.drafts('a kind of static, like noise');
  talk.when(human, 'accept', { draft: 1, text: 'a kind of texture, like noise' });
  const [turn] = historyView(talk.state()).turns;
  expect(turn).toMatchObject({ reply: 'a kind of texture, like noise', draft: 'a kind of static, like noise' });
  const side = (other: string) =>
    turn?.difference
      ?.filter(({ kind }) => kind !== other)
      .map(({ text }) => text)
      .join('');
  expect([side('insert'), side('delete')]).toEqual([turn?.draft, turn?.reply]);
});

test('[D5] a result that arrives after the turn is over is recorded as late and changes nothing', () => {
  const talk = dialogueWith();
  talk.message();
  talk.drafts('a');
  talk.when(human, 'accept', {});
  const before = talk.state();
  const late = talk.says({ thoughts: ['too late'], draft: 'b' }, { turn: 1, run: 1 });
  expect(late).toMatchObject([{ type: 'iteration.late', content: { iter: 2, why: 'accepted', draft: 'b' } }]);
  const { late: count, run, ...after } = talk.state();
  expect(count).toBe(1);
  expect(run?.spent.tokens).toBe(30);
  expect({ ...after, late: 0, run: before.run }).toEqual(before);
  talk.message('two');
  talk.drafts('c');
  expect(talk.state().iterations.length).toBe(2);
});

test('[D5] I can accept, mark as seen, steer and withdraw while a mind runs or the thread is paused', () => {
  const talk = dialogueWith();
  talk.message();
  talk.drafts('a');
  talk.when(human, 'post', { thread: 't1', type: 'control', content: { pause: { on: true } } });
  expect(talk.jobs()).toEqual([]);
  expect(typesOf(talk.when(human, 'seen', {}))).toEqual(['drafts.seen']);
  expect(typesOf(talk.when(human, 'steer', { text: 'shorter' }))).toEqual(['turn.steered']);
  expect(typesOf(talk.says({ thoughts: [], draft: 'b' }))).toEqual(['iteration.late']);
  talk.when(human, 'post', { thread: 't1', type: 'control', content: { pause: { on: false } } });
  expect(talk.jobs()).toHaveLength(1);
  expect(typesOf(talk.when(human, 'accept', {}))).toEqual(['turn.accepted', 'run.ended']);
});

test('[D6] withdrawing takes the message back, and the next message gets the next number', () => {
  const talk = dialogueWith();
  talk.message('oops');
  talk.drafts('a');
  expect(typesOf(talk.when(human, 'withdraw', {}))).toEqual(['turn.withdrawn', 'run.ended']);
  expect(historyView(talk.state()).turns).toEqual([]);
  expect(talk.when(human, 'withdraw', {})).toMatchObject({ code: 'idle' });
  expect(talk.message('better')).toMatchObject([{ content: { turn: 2 } }, { type: 'run.started' }]);
});

test('[D6] reopening an old turn creates a fork with the other draft and does not change the past', () => {
  const talk = dialogueWith();
  talk.message('one');
  talk.drafts('a', 'b');
  talk.when(human, 'accept', { draft: 2 });
  talk.message('two');
  const events = talk.when(human, 'reopen', { turn: 1, draft: 1 }) as Event[];
  expect(events.map(({ type, thread }) => [type, thread])).toEqual([
    ['thread.created', 't2'],
    ['turn.accepted', 't2'],
    ['thread.forked', 't1'],
  ]);
  const accept = talk.events.find(({ type }) => type === 'turn.accepted') as Event;
  expect(events[0]?.content).toMatchObject({ kind: 'dialogue', forked_from: { thread: 't1', seq: accept.seq - 1 } });
  expect(historyView(talk.state()).turns).toMatchObject([{ turn: 1, accepted_draft_index: 2 }]);
  expect(talk.when(human, 'reopen', { turn: 2, draft: 1 })).toMatchObject({ code: 'draft_pending' });
  expect(talk.when(human, 'reopen', { turn: 9, draft: 1 })).toMatchObject({ code: 'unknown_turn' });
  expect(talk.when(human, 'reopen', { turn: 1, draft: 2 })).toMatchObject({ code: 'malformed' });
});

test('[D7] pruning the history hides old turns from the mind and can be undone', () => {
  const talk = dialogueWith();
  for (const text of ['one', 'two', 'three']) {
    talk.message(text);
    talk.drafts(`re ${text}`);
    talk.when(human, 'accept', {});
  }
  talk.when(human, 'history_prune', { turn: 2 });
  expect(historyView(talk.state()).turns.map(({ turn, pruned }) => [turn, pruned])).toEqual([
    [3, undefined],
    [2, true],
    [1, true],
  ]);
  expect(typesOf(talk.when(human, 'history_prune', { turn: 0 }))).toEqual(['history.pruned']);
  expect(historyView(talk.state()).turns.some(({ pruned }) => pruned)).toBe(false);
  expect(talk.when(human, 'history_prune', { turn: 4 })).toMatchObject({ code: 'unknown_turn' });
});

test('[D8] [D34] the archive has every draft and only grows; seen and accepted are separate lines', () => {
  const talk = dialogueWith();
  const archive = () => talk.events.flatMap((event) => archiveLine(event) ?? []);
  talk.message();
  talk.drafts('a', 'b', 'a', '+1');
  const before = archive();
  expect(before).toMatchObject([
    { kind: 'draft', turn: 1, index: 1, iter: 1, text: 'a' },
    { kind: 'draft', turn: 1, index: 2, iter: 2, text: 'b' },
    { kind: 'draft', turn: 1, index: 3, iter: 3, text: 'a', same_as: 1 },
    { kind: 'draft', turn: 1, index: 4, iter: 4, text: '+1', signal: 'soft' },
  ]);
  talk.when(human, 'seen', { drafts: [2] });
  talk.when(human, 'accept', { draft: 2, text: 'B' });
  talk.message();
  talk.drafts('c');
  talk.when(human, 'withdraw', {});
  expect(archive().slice(0, before.length)).toEqual(before);
  expect(archive().slice(before.length)).toMatchObject([
    { kind: 'seen', turn: 1, drafts: [2], by: 'ana' },
    { kind: 'accepted', turn: 1, draft: 2, text: 'B', by: 'ana' },
    { kind: 'draft', turn: 2, index: 1, iter: 5, text: 'c' },
    { kind: 'withdrawn', turn: 2, by: 'ana' },
  ]);
});

test('[D15] drafts are marked as seen once, by index or all together', () => {
  const talk = dialogueWith();
  talk.message();
  talk.drafts('a', 'b', 'c', 'd');
  expect(talk.when(human, 'seen', { drafts: [4, 2] })).toMatchObject([{ content: { turn: 1, drafts: [2, 4] } }]);
  expect(draftsView(talk.state()).drafts.map(({ seen }) => seen)).toEqual([true, false, true, false]);
  expect(talk.when(human, 'seen', { drafts: [5] })).toMatchObject({ code: 'unknown_draft' });
  expect(talk.when(human, 'seen', {})).toMatchObject([{ content: { drafts: [1, 3] } }]);
  expect(talk.when(human, 'seen', {})).toEqual([]);
  expect(statusView(talk.state()).turn?.unseen).toBe(0);
});

test('[D15] engagement is recorded when it changes', () => {
  const talk = dialogueWith();
  expect(statusView(talk.state()).engagement).toBe('absent');
  expect(typesOf(talk.when(human, 'engagement', { engagement: 'reviewing' }))).toEqual(['engagement.set']);
  expect(talk.when(human, 'engagement', { engagement: 'reviewing' })).toEqual([]);
  expect(statusView(talk.state()).engagement).toBe('reviewing');
});

test('[D5] settings are checked by name, and an outdated one is refused with its replacement', () => {
  const talk = dialogueWith({ history_pairs: 3 });
  expect(talk.state().config).toMatchObject({ history_pairs: 3, active_pool_size: 50, draft_display_chars: 2000 });
  const old = talk.when(human, 'configure', { set: { draft_buffer_size: 5 } }) as { code: string; message: string };
  expect(old.code).toBe('malformed');
  expect(old.message).toContain('draft_display_count');
  expect(talk.when(human, 'configure', { set: { histroy_pairs: 5 } })).toMatchObject({
    message: expect.stringContaining('Did you mean "history_pairs"?'),
  });
  expect(talk.when(human, 'configure', { set: { auto_accept: 0 } })).toMatchObject({ code: 'malformed' });
  talk.when(human, 'configure', { set: { active_pool_size: 5, auto_accept: 3 } });
  expect(talk.state()).toMatchObject({ pool: { activeSize: 5 }, config: { auto_accept: 3 }, autoAcceptBy: 'ana' });
});

test('[D7] the mind is shown the last accepted turns, as many as the settings say', () => {
  const talk = dialogueWith({ history_pairs: 2 });
  for (const text of ['one', 'two', 'three']) {
    talk.message(text);
    talk.says({ thoughts: [], draft: `answer to ${text}` });
    talk.when(human, 'accept', {});
  }
  expect(historyForMind(talk.state()).map(({ text }) => text)).toEqual(['two', 'three']);
});

test('[M9] only the workspace itself can report what a mind did', () => {
  const talk = dialogueWith();
  talk.message();
  expect(typesOf(talk.says({ thoughts: [], draft: 'accept: 1\nconfigure: {auto_accept: 1}' }))).toEqual([
    'iteration.ended',
  ]);
  expect(statusView(talk.state()).state).toBe('awaiting');
  expect(dialogueCommands.report_iteration.access).toBe('internal');
});
