import { type Refusal, refuse } from '../core/refusal.ts';
import { refuseUnknownThread } from '../core/threads/decide.ts';
import type { EventLog } from '../log/event-log.ts';
import { PINS, THREAD_INDEX } from '../log/record-kinds.ts';
import type { LiveMessage } from './tail.ts';

const MAX_PINS = 100;

interface PinsParts {
  readonly log: EventLog;
  sendLive(item: LiveMessage): void;
}

interface PinChange {
  readonly thread: string;
  readonly on: boolean;
  /** The pinned thread to stand in front of; without it a new pin comes last, and an old one keeps its place. */
  readonly before?: string | undefined;
}

/** The threads that a person keeps at hand, in their order: not an event, and for nobody else (T34). */
export function createPins({ log, sendLive }: PinsParts) {
  let lastChange: Promise<unknown> = Promise.resolve();

  async function list(participant: string): Promise<readonly string[]> {
    return JSON.parse((await log.record(PINS, participant)) ?? '[]');
  }

  /** One change after another, so that two at once do not undo each other. */
  function change(participant: string, pin: PinChange): Promise<readonly string[] | Refusal> {
    const next = lastChange.then(() => apply(participant, pin));
    lastChange = next.catch(() => {});
    return next;
  }

  async function apply(participant: string, { thread, on, before }: PinChange): Promise<readonly string[] | Refusal> {
    if (on && (await log.record(THREAD_INDEX, thread)) === undefined) return refuseUnknownThread(thread);
    const previous = await list(participant);
    const pins = on ? withPin(previous, thread, before) : previous.filter((id) => id !== thread);
    if (pins.length > MAX_PINS)
      return refuse('limit_reached', `You have pinned ${MAX_PINS} threads. Unpin one to pin another.`, { thread });
    if (pins.join() === previous.join()) return previous;
    await log.putRecords([{ kind: PINS, key: participant, value: JSON.stringify(pins) }]);
    sendLive({ thread, type: 'pins.updated', content: { threads: pins }, only: participant });
    return pins;
  }

  return { list, change };
}

function withPin(pins: readonly string[], thread: string, before: string | undefined): readonly string[] {
  if (before === undefined || before === thread) return pins.includes(thread) ? pins : [...pins, thread];
  const others = pins.filter((id) => id !== thread);
  const at = others.indexOf(before);
  return at < 0 ? [...others, thread] : others.toSpliced(at, 0, thread);
}
