import type { Actor, Event } from '../../../src/core/events/event.ts';
import { isRefusal, type RefusalDetail } from '../../../src/core/refusal.ts';
import { type Command, modeState, type State } from '../../../src/core/workspace.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { eventOf } from '../../../src/log/event-log.ts';
import { human } from '../domain/given.ts';

export async function send(
  engine: Engine,
  name: string,
  input: object,
  actor: Actor = human,
): Promise<Event[] | RefusalDetail> {
  const result = await engine.handle(actor, { name, input } as Command);
  return isRefusal(result) ? result.refusal : result.events.map(eventOf);
}

/** For what a test takes for granted. */
export async function sendOrThrow(...command: Parameters<typeof send>): Promise<Event[]> {
  const outcome = await send(...command);
  if ('code' in outcome) throw new Error(`${command[1]}: ${outcome.message}`);
  return outcome;
}

/** Creates a thread and returns its id. */
export async function createThread(engine: Engine, input: object): Promise<string> {
  const [created] = await sendOrThrow(engine, 'create', { invite: [], ...input });
  return created?.thread as string;
}

export async function readEvents({ log }: Engine, thread: string): Promise<readonly Event[]> {
  const all: Event[] = [];
  for (;;) {
    const page = await log.readThread(thread, all.at(-1)?.seq ?? 0, 1000);
    if (page.length === 0) return all;
    all.push(...page.map(eventOf));
  }
}

/** What the thread's kind adds to it, as it is now. */
export async function readMode<ModeState>(
  engine: Engine,
  kind: Parameters<typeof modeState>[0],
  thread: string,
): Promise<ModeState> {
  return modeState(kind, (await engine.state(thread))?.state as State) as ModeState;
}

/** Reads again whenever something was appended to the thread, until the value is as it should be. */
export async function waitFor<Value>(
  engine: Engine,
  thread: string,
  read: () => Promise<Value>,
  holds: (value: Value) => boolean,
): Promise<Value> {
  for (;;) {
    const changed = engine.tail.waitForChange(thread, 60_000);
    const value = await read();
    if (holds(value)) return value;
    if (!(await changed)) throw new Error(`It never came to that: ${JSON.stringify(value).slice(0, 2000)}`);
  }
}

/** For `waitFor`: a run has begun and does not go on. */
export const isRunOver = ({ run }: { readonly run?: { readonly state: string } | undefined }) =>
  run !== undefined && run.state !== 'running';
