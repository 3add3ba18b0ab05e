import { waysInto } from '../../core/bring.ts';
import type { Context, World } from '../../core/decider.ts';
import { canonical } from '../../core/events/canonical.ts';
import type { Actor } from '../../core/events/event.ts';
import { checkSize } from '../../core/events/limits.ts';
import { isRefusal, type Refusal } from '../../core/refusal.ts';
import type { InputOf, Way } from '../../core/threads/commands.ts';
import { type State, workspace } from '../../core/workspace.ts';
import type { Engine } from '../engine.ts';
import { type BringWish, bringingOf } from './commands.ts';

export interface WaysThere {
  readonly thread: string;
  readonly link: string;
  readonly text: string;
  readonly chars: number;
  readonly ways: readonly Way[];
  readonly why?: string;
}

const BEGINNING = 200;

/** Each way is decided as it would be, on what is there now, and nothing is stored: so none is offered in vain. */
export async function waysOf(
  engine: Pick<Engine, 'log' | 'state' | 'clock'>,
  wish: Pick<BringWish, 'from' | 'to'>,
  actor: Actor,
): Promise<WaysThere | Refusal> {
  const usual = await bringingOf(engine, wish, actor);
  if (isRefusal(usual)) return usual;
  const input = usual.input as InputOf<'bring'>;
  const { thread, text, origin } = input;
  const [into, from] = await Promise.all([engine.state(thread), engine.state(origin.thread)]);
  const loaded = new Map([
    [thread, into],
    [origin.thread, from],
  ]);
  const world: World<State> = { thread: (id) => loaded.get(id)?.state, seq: (id) => loaded.get(id)?.seq ?? 0 };
  const context: Context = { ...engine.clock, now: engine.clock.now(), actor };
  const kind = into?.state.thread.kind ?? 'conversation';
  const all = [input.as, ...waysInto(kind).filter((way) => way !== input.as)];
  const decided = all.map((as) => ({ as, refusal: refusalOf(world, { ...input, as }, context) }));
  const ways = decided.filter(({ refusal }) => refusal === undefined).map(({ as }) => as);
  const beginning = { text: [...text.trim().slice(0, 2 * BEGINNING)].slice(0, BEGINNING).join(''), chars: text.length };
  const why = ways.length === 0 ? decided[0]?.refusal?.refusal.message : undefined;
  return { thread, link: origin.link, ...beginning, ways, ...(why !== undefined && { why }) };
}

function refusalOf(world: World<State>, input: InputOf<'bring'>, context: Context): Refusal | undefined {
  const decision = workspace.decide(world, { name: 'bring', input }, context);
  if (isRefusal(decision)) return decision;
  return decision.map(({ content }) => checkSize(canonical(content), content)).find((refused) => refused);
}
