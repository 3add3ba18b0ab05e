import { expect, test } from 'vitest';
import type { WireEvent, WireThreadState } from '../../../../src/client/index.ts';
import { countUnread } from '../../../data/unread.ts';
import type { UnreadRange } from '../data/unread-range.ts';
import { eventSentence, sentenceText } from '../wording/sentences.ts';
import { usageText } from '../wording/wake.ts';
import { buildEntries, eventText, missingQuotes, reuseEntries } from './entries.ts';

let seq = 0;
function event(type: string, content: unknown, more: Partial<WireEvent> = {}): WireEvent {
  seq++;
  const ts = new Date(Date.UTC(2026, 2, 1, 12, seq)).toISOString();
  return {
    id: `e${seq}`,
    ts,
    thread: 't',
    seq,
    type,
    from: 'human',
    to: 'all',
    content,
    meta: {},
    v: 1,
    hash: '',
    ...more,
  } as WireEvent;
}

function entryContext(more: Partial<WireThreadState> = {}, unread?: UnreadRange) {
  const state = { participants: [], open_tasks: [], wakes: [], ...more } as unknown as WireThreadState;
  return { state, me: 'human', unread, quotedEvents: new Map() };
}

test.each([
  [{ mute: { targets: ['alpha'], mode: 'hard' } }, 'human muted alpha'],
  [{ mute: { targets: ['alpha', 'beta'], mode: 'soft' } }, 'human muted alpha and beta and folded their messages'],
  [{ unmute: { targets: ['a', 'b', 'c'] } }, 'human unmuted a, b and c'],
  [{ pause: { on: true } }, 'human paused the thread: agents may not write'],
  [{ pause: { on: false } }, 'human resumed the thread'],
  [{ prod: ['alpha'] }, 'human asked alpha to reply'],
  [{ done: true }, 'human marked the thread done'],
  [{ ttl_seconds: 90 }, 'human lets agents continue for 90 seconds after a human’s last message'],
  [{ ttl_seconds: 3600 }, 'human lets agents continue for 1 hour after a human’s last message'],
  [{ ttl_seconds: 0 }, 'human lets agents continue without a time limit'],
  [{ discussion: { on: true } }, 'human let agents discuss'],
  [{ invited_auto: { on: false } }, 'human turned off waking all invited agents'],
  [{ invite: { participant_id: 'alpha', profile: {} } }, 'human invited alpha'],
  [{ uninvite: { participant_id: 'alpha' } }, 'human removed alpha'],
  [{ uninvite: { participant_id: 'human' } }, 'human left'],
  [{ profile: { nickname: 'H', roles: ['a', 'b'] } }, 'human changed its profile: nickname H; roles a, b'],
  [{ policy: { mode: 'small' } }, 'human set who answers to “small”'],
  [{ continue: true }, 'human let the agents continue'],
  [{ presence_log: { on: true } }, 'human turned the presence log on'],
  [{ budget: { tokens: 100 } }, 'human set the budget: tokens 100'],
])('[T5] [I12] a control is told in a sentence: %j', (content, expected) => {
  expect(sentenceText(eventSentence(event('control', content)) ?? [])).toBe(expected);
});

test('[T10] a rename is told once, by the fact', () => {
  const wish = event('control', { rename: { title: 'New' } });
  const fact = event('thread.renamed', { title: 'New' });
  expect(
    buildEntries([wish, fact], entryContext()).map((entry) => sentenceText(eventSentence(entry.event) ?? [])),
  ).toEqual(['human renamed the thread “New”']);
});

test('[L3] an event of a later version is shown with its name and all that it says', () => {
  const sentenceFor = (content: unknown) => sentenceText(eventSentence(event('item.was_added', content)) ?? []);
  expect(sentenceFor({})).toBe('human · item was added');
  expect(sentenceFor({ item: 2, text: 'Milk', tags: ['a', 'b'] })).toBe(
    'human · item was added (item 2, text Milk, tags a, b)',
  );
  expect(sentenceFor('Milk')).toBe('human · item was added: Milk');
  expect(sentenceFor({ text: 'x'.repeat(100_000) }).length).toBeLessThan(600);
});

test('[I12] a name is not repeated while its author goes on', () => {
  const one = event('message', 'a');
  const events = [
    one,
    event('message', 'b'),
    event('message', 'c', { to: 'alpha' }),
    event('message', 'd', { from: 'alpha' }),
  ];
  expect(buildEntries(events, entryContext()).map(({ isContinuation }) => isContinuation)).toEqual([
    false,
    true,
    false,
    false,
  ]);
  const later = event('message', 'e', { from: 'alpha', ts: new Date(Date.UTC(2026, 2, 2)).toISOString() });
  expect(buildEntries([...events, later], entryContext()).at(-1)?.isContinuation).toBe(false);
});

test('[I12] a reply knows what it answers, near or far', () => {
  const first = event('message', 'a');
  const reply = event('message', 'b', { meta: { reply_to: first.id } });
  expect(buildEntries([first, reply], entryContext())[1]).toMatchObject({ isReply: true, quoted: first });
  expect(missingQuotes([first, reply])).toEqual([]);
  expect(missingQuotes([reply])).toEqual([first.id]);
  expect(buildEntries([reply], { ...entryContext(), quotedEvents: new Map([[first.id, first]]) })[0]?.quoted).toBe(
    first,
  );
});

test('[T7] only what was written since a soft mute is folded', () => {
  const state = { participants: [{ id: 'alpha', invited: true, muted: 'soft' as const, profile: {} }] };
  const before = event('message', 'a', { from: 'alpha' });
  const mute = event('control', { mute: { targets: ['alpha'], mode: 'soft' } });
  const after = event('message', 'b', { from: 'alpha' });
  expect(buildEntries([before, mute, after], entryContext(state)).map(({ isFolded }) => isFolded)).toEqual([
    false,
    false,
    true,
  ]);
  expect(buildEntries([after], entryContext(state))[0]?.isFolded).toBe(true);
  expect(buildEntries([before, mute, after], entryContext())[2]?.isFolded).toBe(false);
});

test('[T9] a task is open, claimed or finished, from what is loaded and what is known', () => {
  const task = event('task', 'do it', { to: 'alpha' });
  const stateOf = (events: WireEvent[], more: Partial<WireThreadState>) =>
    buildEntries(events, entryContext(more))[0]?.task;
  const open = { id: task.id, author: 'human', to: ['alpha'] };
  expect(stateOf([task], { open_tasks: [open] })).toEqual({ state: 'open' });
  expect(stateOf([task], { open_tasks: [{ ...open, claimedBy: 'alpha' }] })).toEqual({ state: 'claimed', by: 'alpha' });
  expect(stateOf([task], {})).toEqual({ state: 'finished' });
  const failed = event('result', { status: 'failed' }, { from: 'alpha', meta: { reply_to: task.id } });
  expect(stateOf([task, failed], {})).toEqual({ state: 'failed', by: 'alpha' });
});

test('[I12] the first row that was missed is marked: not one’s own words, nor what comes while one looks', () => {
  const events = [
    event('message', 'a'),
    event('message', 'mine'),
    event('message', 'b', { from: 'alpha' }),
    event('message', 'c', { from: 'alpha' }),
  ];
  const [first, mine, third, last] = events.map(({ seq }) => seq) as [number, number, number, number];
  const marked = (unread: UnreadRange | undefined) =>
    buildEntries(events, entryContext({}, unread)).findIndex(({ isFirstNew }) => isFirstNew);
  expect(marked({ after: first, upTo: last })).toBe(2);
  expect(marked({ after: third, upTo: last })).toBe(3);
  expect(marked({ after: first, upTo: mine })).toBe(-1);
  expect(marked({ after: last, upTo: last })).toBe(-1);
  expect(marked(undefined)).toBe(-1);
});

test('[I12] news: messages count, controls do not unless they ask for the person', () => {
  const from = { from: 'alpha' };
  expect(countUnread([event('message', 'mine'), event('control', { done: true }, from)], 'human')).toBe(0);
  expect(countUnread([event('message', 'a', from), event('result', 'b', from)], 'human')).toBe(2);
  expect(countUnread([event('control', { prod: ['human'] }, from)], 'human')).toBe(1);
  expect(countUnread([event('control', { prod: ['beta'] }, from)], 'human')).toBe(0);
});

test('[T18] [M3] an answer is told by its words alone, with what it used; what came to nothing is a note', () => {
  const closed = (outcome: string, more: object = {}) => ({
    participant: 'alpha',
    event: 'x',
    up_to: 1,
    outcome,
    ...more,
  });
  const used = event('wake.closed', closed('answered', { usage: { prompt_tokens: 1200, generated_tokens: 5 } }));
  const answer = event('message', 'Yes.', { from: 'alpha', meta: { by: 'agent' } });
  const failed = event('wake.closed', closed('failed', { reason: 'The budget is used up.' }), { from: 'alpha' });
  // What is said beside the work of a dialogue has gaps in it.
  const before = event('message', 'Shall I?', { seq: 1 });
  const entries = buildEntries([before, used, answer, failed], entryContext()).slice(1);
  expect(entries.map(({ kind }) => kind)).toEqual(['message', 'note']);
  expect(usageText(entries[0]?.usageEvent as WireEvent)).toBe('1,200 tokens read, 5 written');
  const small = { prompt_tokens: 12, generated_tokens: 5, small: true };
  expect(usageText(event('wake.closed', closed('answered', { usage: small })))).toBe(
    'by a small model, 12 tokens read, 5 written',
  );
  expect(sentenceText(eventSentence(failed) ?? [])).toBe('alpha could not answer: The budget is used up.');
});

test('[T18] the thread says that a reply was cancelled because the agent was muted', () => {
  const content = { participant: 'alpha', event: 'e1', up_to: 1, outcome: 'stopped' };
  const off = event('wake.closed', { ...content, reason: 'cancelled because ana muted it' }, { from: 'system' });
  expect(sentenceText(eventSentence(off) ?? [])).toBe('alpha will not reply: cancelled because ana muted it');
  const stopped = event('wake.closed', { ...content, reason: 'stopped by ana' }, { from: 'ana' });
  expect(sentenceText(eventSentence(stopped) ?? [])).toBe('alpha was stopped by ana');
});

test('[T20] a human’s message is unanswered until an agent has spoken, answered or is at it', () => {
  const agent = { id: 'alpha', invited: true, muted: null, profile: { kind: 'agent' as const } };
  const asked = event('message', 'First?', { meta: { by: 'human' } });
  const reply = event('message', 'Yes.', { from: 'alpha', meta: { by: 'agent' } });
  const again = event('message', 'Second?', { meta: { by: 'human' } });
  const unanswered = (events: WireEvent[], wakes: object[] = [], participants = [agent]) =>
    buildEntries(events, entryContext({ participants, wakes } as never))
      .filter(({ isUnanswered }) => isUnanswered)
      .map(({ event }) => event.id);
  expect(unanswered([asked, reply, again])).toEqual([again.id]);
  expect(unanswered([asked, reply, again], [{ participant: 'alpha', event: again.id }])).toEqual([]);
  expect(unanswered([asked], [], [])).toEqual([]);
});

test('[I12] a row of which nothing has changed is the very same, whatever was read before or behind it', () => {
  const [one, two, three] = [event('message', 'one'), event('message', 'two'), event('message', 'three')];
  const before = buildEntries([two], entryContext());
  const now = reuseEntries(before, buildEntries([one, two, three], entryContext()));
  // It goes on from the one before it now, so it is drawn again; what follows it is not looked at.
  expect(now[1]).not.toBe(before[0]);
  const later = reuseEntries(now, buildEntries([one, two, three, event('message', 'four')], entryContext()));
  expect(later.slice(0, 3).every((entry, i) => entry === now[i])).toBe(true);
  expect(later).toHaveLength(4);
});

test('[T35] a message shows its newest version, whether that came live or with the page', () => {
  const message = event('message', 'Plant beens.');
  const version = event('message.versioned', { of: message.id, text: 'Plant beans.' });
  const [shown, ...rest] = buildEntries([message, version], entryContext());
  expect(rest).toEqual([]);
  expect(eventText(shown?.event as WireEvent)).toBe('Plant beans.');
  expect(buildEntries([message, version], entryContext())[0]?.event).toBe(shown?.event);
  const byAnother = { ...version, from: 'mallory' };
  expect(eventText(buildEntries([message, byAnother], entryContext())[0]?.event as WireEvent)).toBe('Plant beens.');
});
