import { type AgentLimits, MEGABYTE } from '../../core/agent-limits.ts';
import type { Actor } from '../../core/events/event.ts';
import { type Refusal, refuse } from '../../core/refusal.ts';
import type { AllowanceUse } from '../../core/threads/access/allowance.ts';
import type { EventLog, RecordWrite } from '../../log/event-log.ts';
import { ALLOWANCE } from '../../log/record-kinds.ts';

const HOUR_MS = 3_600_000;
/** Usage is recorded by the minute, so a row stays small however high the limit is. */
const MINUTE_MS = 60_000;

/** An agent's usage in one minute; all of it counts from the time of the last use. */
interface UsageMinute extends AllowanceUse {
  readonly at: number;
}

export interface AllowanceParts {
  readonly log: Pick<EventLog, 'record' | 'appliedCommands'>;
  readonly limits: () => AgentLimits;
  now(): number;
}

interface AllowanceRequest {
  readonly actor: Actor;
  readonly demand: AllowanceUse;
  /** The command's id: a repeated command gets its answer, whatever was used since (L7). */
  readonly id: string;
}

/**
 * Limits what agents may do in an hour (T23). Each agent's usage is a row outside the log, written in the transaction
 * that used it: only stored commands count, a restart forgets nothing, and servers on one database share it.
 */
export function createAllowances({ log, limits, now }: AllowanceParts) {
  /** One queue per agent: its counted commands run in turn, so each sees what those before it used. */
  const queues = new Map<string, Promise<unknown>>();

  async function runWithin<Result>(
    request: AllowanceRequest,
    handle: (records: readonly RecordWrite[]) => Promise<Result>,
  ): Promise<Result | Refusal> {
    const { id } = request.actor;
    const run = (queues.get(id) ?? Promise.resolve()).then(() => carryOut(request, handle));
    const completion = run.catch(() => {});
    queues.set(id, completion);
    void completion.then(() => queues.get(id) === completion && queues.delete(id));
    return run;
  }

  async function carryOut<Result>(
    { actor, demand, id }: AllowanceRequest,
    handle: (records: readonly RecordWrite[]) => Promise<Result>,
  ): Promise<Result | Refusal> {
    const usage = await usageBy(actor.id);
    const refusal = checkLimits(usage, demand, actor.id);
    if (!refusal) return handle([usageRecord(actor.id, usage, demand)]);
    const [earlier] = await log.appliedCommands([{ participant: actor.id, id }]);
    return earlier ? handle([]) : refusal;
  }

  /** Checks in advance whether the limits allow a request that is sent in parts. */
  async function check(actor: Actor, demand: AllowanceUse): Promise<Refusal | undefined> {
    return actor.kind === 'human' ? undefined : checkLimits(await usageBy(actor.id), demand, actor.id);
  }

  async function usageBy(participant: string): Promise<readonly UsageMinute[]> {
    const row = await log.record(ALLOWANCE, participant);
    if (row === undefined) return [];
    // Ignore entries from the future: a wrong clock wrote them.
    const [from, to] = [now() - HOUR_MS, now() + MINUTE_MS];
    return (JSON.parse(row) as readonly UsageMinute[]).filter(({ at }) => at > from && at <= to);
  }

  function usageRecord(participant: string, usage: readonly UsageMinute[], demand: AllowanceUse): RecordWrite {
    const at = now();
    const isThisMinute = (minute: UsageMinute) => Math.floor(minute.at / MINUTE_MS) === Math.floor(at / MINUTE_MS);
    const thisMinute = [...usage.filter(isThisMinute), demand];
    const uploads = sumOf(thisMinute, 'uploads');
    const minute = {
      ...{ at, threads: sumOf(thisMinute, 'threads'), invitations: sumOf(thisMinute, 'invitations') },
      ...(uploads > 0 && { uploads }),
    };
    const value = JSON.stringify([...usage.filter((other) => !isThisMinute(other)), minute]);
    return { kind: ALLOWANCE, key: participant, value };
  }

  function checkLimits(usage: readonly UsageMinute[], demand: AllowanceUse, participant: string): Refusal | undefined {
    const { threadsPerHour, invitationsPerHour, uploadBytesPerHour } = limits();
    const threads = { field: 'threads', noun: 'threads', verb: 'create', max: threadsPerHour } as const;
    const invitations = { field: 'invitations', noun: 'invitations', verb: 'send', max: invitationsPerHour } as const;
    const uploads = { field: 'uploads', noun: 'MB of files', verb: 'upload', max: uploadBytesPerHour } as const;
    return (
      checkRate(threads, usage, demand, participant) ??
      checkRate(invitations, usage, demand, participant) ??
      checkRate(uploads, usage, demand, participant)
    );
  }

  function checkRate(
    { field, noun, verb, max }: HourlyRate,
    usage: readonly UsageMinute[],
    demand: AllowanceUse,
    participant: string,
  ): Refusal | undefined {
    const amount = demand[field] ?? 0;
    const before = sumOf(usage, field);
    if (amount === 0 || before + amount <= max) return undefined;
    const show = (count: number) => (field === 'uploads' ? Math.round((count / MEGABYTE) * 10) / 10 : count);
    const limit = `An agent may ${verb} ${show(max)} ${noun} an hour`;
    const setting = field === 'uploads' ? 'upload_mb_per_hour' : `${noun}_per_hour`;
    const raise = `ask a human to raise "limits.agents.${setting}" in heddle.yaml`;
    if (amount > max)
      return refuse(
        'limit_reached',
        `${limit}, and this needs ${show(amount)}. Nothing was done; split it up, or ${raise}.`,
        {
          participant,
        },
      );
    const seconds = secondsUntilFree(usage, field, before + amount - max);
    return refuse(
      'limit_reached',
      `${limit}, and ${participant} has used ${show(before)} of them. Nothing was done; try again in ${Math.ceil(seconds / 60)} min, or ${raise}.`,
      { participant, retry_after: seconds },
    );
  }

  /** Seconds until `amount` uses are more than an hour old. */
  function secondsUntilFree(usage: readonly UsageMinute[], field: keyof AllowanceUse, amount: number): number {
    let freed = 0;
    for (const minute of usage.toSorted((one, other) => one.at - other.at)) {
      freed += minute[field] ?? 0;
      if (freed >= amount) return Math.max(1, Math.ceil((minute.at + HOUR_MS - now()) / 1000));
    }
    return HOUR_MS / 1000;
  }

  return { runWithin, check };
}

interface HourlyRate {
  readonly field: keyof AllowanceUse;
  readonly noun: string;
  readonly verb: string;
  readonly max: number;
}

function sumOf(demands: readonly AllowanceUse[], field: keyof AllowanceUse): number {
  return demands.reduce((sum, demand) => sum + (demand[field] ?? 0), 0);
}
