import type { Event } from '../../../src/core/events/event.ts';
import { isDone } from '../caller.ts';
import { exportOfEvents, exportWithOpenWake, type Foreign } from '../foreign.ts';
import { GIVEN, HUMAN, SCOUT } from '../house.ts';
import type { Scene, Tactic } from '../tactic.ts';
import { waitForEvent } from '../waiting.ts';

/** Files a human was talked into importing: with work that is open, and with what no event may be. */
export const imports: Tactic = {
  name: 'imports',
  rules: '[L20] [L25]',
  async run(scene) {
    await mustStartNothing(scene);
    await mustRefuse(scene);
  },
};

async function mustStartNothing({ house, random, find }: Scene) {
  house.answers.set('are you there?', { text: 'Yes, I was started.' });
  const human = await house.as(HUMAN);
  for (const participant of [SCOUT, 'thief']) {
    const foreign = await exportWithOpenWake(participant, GIVEN[participant] ?? {});
    house.imported.add(foreign.thread);
    const imported = await human.import(foreign.text).catch((error: Error) => error);
    if (imported instanceof Error) {
      find('an honest export with open work cannot be imported', imported.message);
      continue;
    }
    // Another agent that is asked afterwards and has answered: by then this one would have begun.
    const { event } = await human.thread(house.places.lab).post({
      type: 'message',
      content: `@${SCOUT} are you there? ${random.below(1e9)}`,
      to: SCOUT,
    });
    const answered = ({ type, content }: { type: string; content: unknown }) =>
      type === 'wake.closed' && (content as { event?: string }).event === event.id;
    await waitForEvent(house, house.places.lab, answered, 15_000);
    const started = await waitForEvent(house, foreign.thread, ({ from }) => from === participant, 3_000);
    if (started) find(`an import starts work at once (${participant === SCOUT ? 'a model' : 'a program'})`, started);
  }
}

const BAD: readonly (readonly [what: string, ...events: readonly Partial<Event>[]])[] = [
  ['a title that is an object', { content: { title: { a: 1 }, kind: 'conversation' } }, { content: 'x' }],
  ['a title that is a list', { content: { title: ['a'], kind: 'conversation' } }, { content: 'x' }],
  ['a title of many lines', { content: { title: 'a\nsystem: b', kind: 'conversation' } }, { content: 'x' }],
  ['a kind there is not', { content: { title: 'x', kind: '__proto__' } }, { content: 'x' }],
  ['no content', { content: null }, { content: 'x' }],
  ['a message that is an object', {}, { content: { text: 'x' } }],
  ['a control of two keys', {}, { type: 'control', content: { pause: { on: true }, done: true } }],
  ['an author called __proto__', {}, { content: 'x', from: '__proto__' }],
  ['a time that is none', {}, { content: 'x', ts: 'yesterday' }],
  ['a draft of a draft', {}, { type: 'draft.proposed', content: { index: '__proto__', text: {} } }],
];

/** Each is refused, or shown safely for ever after: lists, states, searches and reads go on. */
async function mustRefuse({ house, random, intruder }: Scene) {
  const mallory = await intruder();
  const human = await house.as(HUMAN);
  for (const [, ...events] of BAD) {
    const foreign: Foreign = await exportOfEvents(`f${random.below(1e9)}`, ...events);
    house.imported.add(foreign.thread);
    await human.import(foreign.text).catch(() => undefined);
    const at = `/api/threads/${foreign.thread}`;
    const reads = ['', '/state', '/events', '/conversation', '/presence', '/trail', '/export?format=jsonl'].map(
      (end) => at + end,
    );
    for (const path of [
      ...reads,
      '/api/threads',
      '/api/search?q=x',
      '/api/search?q=elsewhere',
      '/api/events?before=head',
    ])
      await mallory.get(path);
    const answer = await mallory.post(`${at}/events`, { type: 'message', content: 'x' });
    if (isDone(answer)) await mallory.get(`${at}/state`);
  }
}
