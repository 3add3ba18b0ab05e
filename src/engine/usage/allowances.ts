import type { AgentLimits } from '../../core/agent-limits.ts';
import type { Actor } from '../../core/events/event.ts';
import { type Refusal, refuse } from '../../core/refusal.ts';
import type { Demand } from '../../core/threads/access/allowance.ts';
import type { EventLog, RecordWrite } from '../../log/event-log.ts';
import { ALLOWANCE } from '../../log/record-kinds.ts';

const HOUR_MS = 3_600_000;
/** What was used is noted by the minute, so a row stays small however high a limit is. */
const MINUTE_MS = 60_000;

/** What an agent did in a minute; all of it counts as done when the last of it was. */
interface Minute extends Demand {
  readonly at: number;
}

export interface AllowanceParts {
  readonly log: Pick<EventLog, 'record' | 'remembered'>;
  readonly limits: () => AgentLimits;
  now(): number;
}

interface Wish {
  readonly actor: Actor;
  readonly demand: Demand;
  /** The command's id: one that was done before is answered, whatever was used since (L7). */
  readonly id: string;
}

/**
 * What agents may do in an hour (T23). What one has used is a row beside the log, written in the transaction that used
 * it: only what was stored counts, a restart forgets nothing, and servers on one database share it.
 */
export function createAllowances({ log, limits, now }: AllowanceParts) {
  /** An agent's commands that count go one after the other, each knowing what those before it used. */
  const queues = new Map<string, Promise<unknown>>();

  async function within<Handled>(
    wish: Wish,
    handle: (records: readonly RecordWrite[]) => Promise<Handled>,
  ): Promise<Handled | Refusal> {
    const { id } = wish.actor;
    const turn = (queues.get(id) ?? Promise.resolve()).then(() => carryOut(wish, handle));
    const ended = turn.catch(() => {});
    queues.set(id, ended);
    void ended.then(() => queues.get(id) === ended && queues.delete(id));
    return turn;
  }

  async function carryOut<Handled>(
    { actor, demand, id }: Wish,
    handle: (records: readonly RecordWrite[]) => Promise<Handled>,
  ): Promise<Handled | Refusal> {
    const used = await usedBy(actor.id);
    const refusal = beyond(used, demand, actor.id);
    if (!refusal) return handle([noted(actor.id, used, demand)]);
    const [earlier] = await log.remembered([{ participant: actor.id, id }]);
    return earlier ? handle([]) : refusal;
  }

  /** Says beforehand whether there is room for what will be asked for bit by bit. */
  async function check(actor: Actor, demand: Demand): Promise<Refusal | undefined> {
    return actor.kind === 'human' ? undefined : beyond(await usedBy(actor.id), demand, actor.id);
  }

  async function usedBy(participant: string): Promise<readonly Minute[]> {
    const row = await log.record(ALLOWANCE, participant);
    if (row === undefined) return [];
    // What lies ahead was noted by a clock that went wrong.
    const [from, to] = [now() - HOUR_MS, now() + MINUTE_MS];
    return (JSON.parse(row) as readonly Minute[]).filter(({ at }) => at > from && at <= to);
  }

  function noted(participant: string, used: readonly Minute[], demand: Demand): RecordWrite {
    const at = now();
    const isThisMinute = (minute: Minute) => Math.floor(minute.at / MINUTE_MS) === Math.floor(at / MINUTE_MS);
    const same = [...used.filter(isThisMinute), demand];
    const minute = { at, threads: sumOf(same, 'threads'), invitations: sumOf(same, 'invitations') };
    const value = JSON.stringify([...used.filter((other) => !isThisMinute(other)), minute]);
    return { kind: ALLOWANCE, key: participant, value };
  }

  function beyond(used: readonly Minute[], demand: Demand, participant: string): Refusal | undefined {
    const { threadsPerHour, invitationsPerHour } = limits();
    const threads = { field: 'threads', noun: 'threads', verb: 'create', most: threadsPerHour } as const;
    const invitations = { field: 'invitations', noun: 'invitations', verb: 'send', most: invitationsPerHour } as const;
    return exceeded(threads, used, demand, participant) ?? exceeded(invitations, used, demand, participant);
  }

  function exceeded(
    { field, noun, verb, most }: Rate,
    used: readonly Minute[],
    demand: Demand,
    participant: string,
  ): Refusal | undefined {
    const wanted = demand[field];
    const before = sumOf(used, field);
    if (wanted === 0 || before + wanted <= most) return undefined;
    const limit = `An agent may ${verb} ${most} ${noun} an hour`;
    const raise = `ask a human to raise "limits.agents.${noun}_per_hour" in heddle.yaml`;
    if (wanted > most)
      return refuse(
        'limit_reached',
        `${limit}, and this needs ${wanted}. Nothing was done; do it in parts, or ${raise}.`,
        {
          participant,
        },
      );
    const seconds = secondsUntil(used, field, before + wanted - most);
    return refuse(
      'limit_reached',
      `${limit}, and ${participant} has used ${before} of them. Nothing was done; try again in ${Math.ceil(seconds / 60)} min, or ${raise}.`,
      { participant, retry_after: seconds },
    );
  }

  /** When so many will be more than an hour ago. */
  function secondsUntil(used: readonly Minute[], field: keyof Demand, wanted: number): number {
    let freed = 0;
    for (const minute of used.toSorted((one, other) => one.at - other.at)) {
      freed += minute[field];
      if (freed >= wanted) return Math.max(1, Math.ceil((minute.at + HOUR_MS - now()) / 1000));
    }
    return HOUR_MS / 1000;
  }

  return { within, check };
}

interface Rate {
  readonly field: keyof Demand;
  readonly noun: string;
  readonly verb: string;
  readonly most: number;
}

function sumOf(demands: readonly Demand[], field: keyof Demand): number {
  return demands.reduce((sum, demand) => sum + demand[field], 0);
}
