import { bringWaysInto } from '../../core/bring.ts';
import type { Context, World } from '../../core/decider.ts';
import { canonicalJson } from '../../core/events/canonical.ts';
import type { Actor } from '../../core/events/event.ts';
import { checkSize } from '../../core/events/limits.ts';
import { isRefusal, type Refusal } from '../../core/refusal.ts';
import type { ConversationInput } from '../../core/threads/commands.ts';
import { type State, workspace } from '../../core/workspace.ts';
import type { RouteQuery } from '../../protocol/routes.ts';
import type { WireBringWays } from '../../protocol/transfer.ts';
import type { Engine } from '../engine.ts';
import { bringCommandFor } from './commands.ts';

const PREVIEW_CHARS = 200;

/** Lists the ways that would succeed: each is decided against the current state without storing anything. */
export async function waysOf(
  engine: Pick<Engine, 'log' | 'state' | 'clock'>,
  request: RouteQuery<'GET /api/bring'>,
  actor: Actor,
): Promise<WireBringWays | Refusal> {
  const command = await bringCommandFor(engine, request, actor);
  if (isRefusal(command)) return command;
  const { input } = command;
  const { thread, text, origin } = input;
  const [target, source] = await Promise.all([engine.state(thread), engine.state(origin.thread)]);
  const loaded = new Map([
    [thread, target],
    [origin.thread, source],
  ]);
  const world: World<State> = { thread: (id) => loaded.get(id)?.state, seq: (id) => loaded.get(id)?.seq ?? 0 };
  const context: Context = { ...engine.clock, now: engine.clock.now(), actor };
  const kind = target?.state.thread.kind ?? 'conversation';
  const candidates = [input.as, ...bringWaysInto(kind).filter((way) => way !== input.as)];
  const decisions = candidates.map((as) => ({ as, refusal: refusalOf(world, { ...input, as }, context) }));
  const ways = decisions.filter(({ refusal }) => refusal === undefined).map(({ as }) => as);
  const preview = {
    text: [...text.trim().slice(0, 2 * PREVIEW_CHARS)].slice(0, PREVIEW_CHARS).join(''),
    chars: text.length,
  };
  const why = ways.length === 0 ? decisions[0]?.refusal?.refusal.message : undefined;
  return { thread, link: origin.link, ...preview, ways, ...(why !== undefined && { why }) };
}

function refusalOf(world: World<State>, input: ConversationInput<'bring'>, context: Context): Refusal | undefined {
  const decision = workspace.decide(world, { name: 'bring', input }, context);
  if (isRefusal(decision)) return decision;
  return decision.map(({ content }) => checkSize(canonicalJson(content), content)).find((refusal) => refusal);
}
