// What must hold however a workspace was attacked. Each check adds findings and goes on.
import type { Event, EventMeta } from '../../src/core/events/event.ts';
import type { Profile } from '../../src/core/threads/schema.ts';
import { verifyLog } from '../../src/formats/verify/verify.ts';
import { type EventLog, eventOf } from '../../src/log/event-log.ts';
import { type HonestWork, missingOn } from './honest.ts';
import { BEE, GIVEN, type House, HUMAN } from './house.ts';
import { shorten } from './report.ts';

const PAGE = 1000;
/** Minds and auditors of dialogues and exchanges, and the models of looms, write what nobody else may. */
const BY_MODELS = /^(mind(_\d+)?|auditor|evil|small)$/;

/** The chain, and who wrote what: run after each tactic, it tells what is new each time. Returns the number of events. */
export function createLogCheck(house: House): () => Promise<number> {
  let checked = 0;
  let isBroken = false;
  return () =>
    house.read(async (log) => {
      const { broken, events } = await verifyLog(log, undefined);
      if (broken && !isBroken)
        house.report.add(`the chain is broken: event N ${broken.why.replace(/\d+/g, 'N')}`, broken);
      isBroken ||= broken !== undefined;
      for await (const { position, event } of eventsOf(log, checked)) {
        checkAuthor(house, event);
        checked = position;
      }
      return events;
    });
}

/** At the end: all of honest work is stored once, in order, and was told once. */
export async function checkHonestWork(house: House, { written, streams }: HonestWork): Promise<void> {
  const { report } = house;
  const stored = new Map<string, string[]>();
  await house.read(async (log) => {
    for await (const { event } of eventsOf(log)) {
      const { id, from, thread, type, content } = event;
      if (type !== 'message' || !(from === HUMAN || from === BEE) || house.imported.has(thread)) continue;
      if (!String(content).startsWith(`${from} `)) continue;
      const key = `${from} ${thread}`;
      stored.set(key, [...(stored.get(key) ?? []), id]);
    }
  });
  for (const key of new Set(written.map(({ from, thread }) => `${from} ${thread}`))) {
    const sent = written.filter(({ from, thread }) => `${from} ${thread}` === key).map(({ event }) => event);
    const found = stored.get(key) ?? [];
    if (found.join() === sent.join()) continue;
    const lost = sent.filter((id) => !found.includes(id)).length;
    const extra = found.filter((id) => !sent.includes(id)).length;
    report.add(`honest messages are not stored once and in order (${lost} lost, ${extra} too many)`, key);
  }
  for (const { reader, content } of missingOn(streams, written, house.places.hall))
    report.add(`a stored message never came on the stream of ${reader}`, content);
  for (const [reader, seen] of streams)
    if (new Set(seen).size < seen.length) report.add(`an event came twice on the stream of ${reader}`, seen.length);
}

/** Who holds a credential sent it; whoever has none is run by the server because a human said so. */
function checkAuthor({ report, commands, imported, issued }: House, event: Event): void {
  const { from, meta, thread, type } = event;
  if (imported.has(thread)) return;
  const example = () => shorten(event);
  const sent = commands.get(from);
  if (sent && !sent.has((meta as EventMeta).command ?? ''))
    report.add(`the server spoke as ${from} (${type})`, example());
  if (sent || issued.has(from) || meta.by === 'automation' || from in GIVEN) return;
  if (BY_MODELS.test(from)) return;
  report.add(
    `${/^ghost/.test(from) ? 'somebody nobody let in' : from} wrote (${type}) without a credential`,
    example(),
  );
}

/** Fields that only a human decides, of everybody in every thread (T22). */
const DECIDED = ['kind', 'client', 'model', 'posting', 'roles', 'spec', 'every'] as const;

export async function checkProfiles(house: House): Promise<void> {
  const human = await house.as(HUMAN);
  const { threads } = await human.threads.list();
  for (const { id, kind } of threads) {
    if (house.imported.has(id)) continue;
    const { state } = await human.thread(id).state();
    for (const { id: participant, profile } of state.participants) {
      if (kind !== 'conversation' && BY_MODELS.test(participant)) continue;
      const who = participant === HUMAN || participant === BEE || participant in GIVEN ? participant : 'somebody';
      for (const field of DECIDED.filter((each) => isForeign(participant, each, profile)))
        house.report.add(`an agent set "${field}" of ${who}`, { thread: id, participant, profile });
    }
  }
}

/** Whether a field is neither what the human gave nor what the credential itself says. */
function isForeign(participant: string, field: (typeof DECIDED)[number], profile: Profile): boolean {
  const value = profile[field];
  if (value === undefined) return false;
  const given = GIVEN[participant]?.[field];
  if (given !== undefined && JSON.stringify(given) === JSON.stringify(value)) return false;
  if (field === 'kind') return value !== (participant === HUMAN ? 'human' : 'agent');
  // To draft before posting is stricter: anyone may ask that of itself.
  return !(field === 'posting' && value === 'draft');
}

async function* eventsOf(log: EventLog, after = 0): AsyncGenerator<{ position: number; event: Event }> {
  for (let position = after; ; ) {
    const rows = await log.readAll(position, PAGE);
    if (rows.length === 0) return;
    for (const row of rows) yield { position: row.position, event: eventOf(row) };
    position = rows.at(-1)?.position ?? position;
  }
}
