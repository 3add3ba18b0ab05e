import type { Client } from '../../client/index.ts';
import type { Event } from '../../core/events/event.ts';
import {
  type AuditRow,
  auditsView,
  exchangeStatus,
  type RoundRow,
  type RunView,
  roundsView,
} from '../../core/exchange/view/view.ts';
import { type EventLog, eventOf } from '../../log/event-log.ts';
import type { RunningServer } from '../../workspace/server-file.ts';
import type { Cli } from '../cli.ts';
import { evenIfMoved, withWorker } from '../connect/client.ts';
import { createServerWatch } from '../connect/server-watch.ts';
import { createWakes } from '../connect/wakes.ts';
import { EXIT, Failure } from '../failure.ts';
import { untilInterrupted } from '../output/progress.ts';
import { oneLine } from '../output/text.ts';
import { followWork } from '../run/follow.ts';
import { createRunProgress } from '../run/progress.ts';
import { makeCurrent } from '../threads/current.ts';
import type { Done } from '../threads/send.ts';
import { attentionLines, auditLines, mindWords, roundLines } from './format.ts';
import { openExchange, type Reading, withExchange } from './reader.ts';
import { runWords } from './run.ts';

const RECENT = 50;

type Thread = ReturnType<Client['thread']>;

/** What is waited for: that rounds are over, or that an audit was written. */
export interface Begun {
  /** The thread it goes on in, if it is another one. */
  readonly thread?: string | undefined;
  /** The rounds are ended after so many. */
  readonly most?: number | undefined;
  /** Only the audit that was asked for is waited for, not rounds that are under way. */
  readonly audit?: true;
}

export interface FollowOptions {
  /** Sends what begins it; undefined when there is nothing to wait for. */
  begin(thread: Thread, reading: Reading): Promise<Begun | undefined>;
  onRound?(row: RoundRow): void;
}

/**
 * Lets the minds think until the rounds are over, and tells what comes. The
 * work is the server's, or this process's own. A branch that the terms ask for
 * is followed into.
 */
export function follow(cli: Cli, { begin, onRound = tellRound(cli) }: FollowOptions): Promise<Reading> {
  const signal = untilInterrupted();
  return withExchange(cli, (meant, log) =>
    withWorker(cli, async (client, server) => {
      const before = seen(meant);
      const begun = await begin(client.thread(meant.id), meant);
      await meant.refresh();
      if (!begun) return meant;
      let reading = begun.thread === undefined ? meant : await openExchange(cli, log, begun.thread);
      let from = reading === meant ? before : inherited(reading);
      for (;;) {
        await followOne(cli, { log, client, server, reading, from, begun, onRound, signal });
        if (begun.audit && reading.exchange.audits.length === from.audits) throw await noAudit(log, reading, signal);
        const branch = autoBranch(reading);
        if (branch === undefined || signal.aborted) return reading;
        makeCurrent(cli, branch);
        reading = await openExchange(cli, log, branch);
        cli.out.note(`It goes on in “${oneLine(reading.title)}”, as the terms say: the current exchange now.`);
        from = inherited(reading);
      }
    }),
  );
}

interface Seen {
  readonly rounds: number;
  readonly audits: number;
}

interface FollowedOne {
  readonly log: EventLog;
  readonly client: Client;
  readonly server: RunningServer | undefined;
  readonly reading: Reading;
  readonly from: Seen;
  readonly begun: Begun;
  readonly onRound: (row: RoundRow) => void;
  readonly signal: AbortSignal;
}

async function followOne(cli: Cli, one: FollowedOne): Promise<void> {
  const { log, client, server, reading, from, begun, onRound, signal } = one;
  const wakes = createWakes(cli, log, signal);
  let { rounds, audits } = from;
  const first = rounds;
  try {
    await followWork({
      ...{ wakes, signal, thread: client.thread(reading.id), refresh: reading.refresh },
      mustBeServed: createServerWatch(cli, server),
      progress: createRunProgress(cli.out, 'round'),
      tell(clear) {
        const { exchange } = reading;
        for (; rounds < exchange.rounds.length; rounds++) {
          clear();
          onRound(roundsView(exchange, { before: rounds + 2, limit: 1 }).rounds[0] as RoundRow);
        }
        for (; audits < exchange.audits.length; audits++) {
          clear();
          tellAudit(cli, auditsView(exchange, { before: audits + 2, limit: 1 }).audits[0] as AuditRow);
        }
      },
      goesOn() {
        const { exchange } = reading;
        // An audit waits for the round it would fall into, and that for somebody who lets it go on.
        const possible = exchange.run?.state === 'running' || exchange.current.spoken === 0;
        if (begun.audit) return !exchange.held && exchange.auditAsked && audits === from.audits && possible;
        if (exchange.held) return false;
        // A restart that leads to a branch by itself is still on its way to it.
        return exchange.run?.state === 'running' || exchange.pending?.policy === 'branch';
      },
      enough: () => begun.most !== undefined && rounds - first >= begun.most,
      stop: () => evenIfMoved(cli, client, (reached) => reached.thread(reading.id).command('stop_rounds', {})),
      show(progress) {
        const { exchange } = reading;
        const { run, auditing } = exchangeStatus(exchange);
        const waiting = run?.waiting ?? auditing?.waiting;
        if (run)
          progress.show({ ...run, waiting }, exchange.auditDue ? `Audit ${audits + 1}` : whereIn(reading, rounds + 1));
      },
    });
  } finally {
    wakes.close();
  }
}

function whereIn({ exchange }: Reading, round: number): string {
  const { minds, spoken } = exchangeStatus(exchange);
  return minds.length === 1 ? `Round ${round}` : `Round ${round}, ${spoken} of ${minds.length} minds`;
}

function seen({ exchange }: Reading): Seen {
  return { rounds: exchange.rounds.length, audits: exchange.audits.length };
}

/** Why there is none, though it was asked for. */
async function noAudit(log: EventLog, { id, seq, exchange }: Reading, signal: AbortSignal): Promise<Failure> {
  if (signal.aborted) return new Failure('stopped', 'Stopped before the audit was written.');
  if (exchange.held) return held(id);
  if (exchange.auditAsked) {
    const sentence = 'It will be written when the round that has begun is over: logos run';
    return new Failure('not_yet', sentence, EXIT.refused);
  }
  const rows = await log.readThread(id, Math.max(0, seq - RECENT), RECENT);
  const failed = rows.map(eventOf).findLast(({ type }) => type === 'audit.failed');
  const { problem = '' } = (failed?.content ?? {}) as { readonly problem?: string };
  return new Failure('audit_failed', `The auditor wrote nothing that can be used: ${oneLine(problem)}`);
}

/** What a branch has from before it began. */
function inherited({ exchange }: Reading): Seen {
  const round = exchange.branch?.from.round ?? 0;
  const audits = exchange.audits.slice().filter(({ content }) => content.round <= round).length;
  return { rounds: round, audits };
}

/** Where it went on by itself, because the terms say so. */
export function autoBranch({ exchange }: Reading): string | undefined {
  const answer = exchange.restarts.at(-1)?.answer;
  return answer?.auto && exchange.run?.reason === 'branched' ? answer.thread : undefined;
}

function tellRound({ out }: Cli) {
  return (row: RoundRow) => {
    if (out.json) out.value({ round: row });
    else for (const line of roundLines(row, out, out.width)) out.line(line);
  };
}

function tellAudit({ out }: Cli, audit: AuditRow): void {
  if (out.json) out.value({ audit });
  else for (const line of ['', ...auditLines(audit, out, out.width, Date.now()), '']) out.line(line);
}

/** How it stands once nothing goes on; rounds that cannot go on by themselves are a failure. */
export function conclude({ out }: Cli, { id, exchange }: Reading): void {
  const status = exchangeStatus(exchange);
  const { run, attention } = status;
  if (out.json) out.value({ thread: id, run, attention });
  else {
    if (run) out.line(out.colors.dim(runWords(run)));
    const { rounds } = roundsView(exchange, { limit: Math.max(1, run?.done ?? 1) });
    out.line(out.colors.dim(`Thoughts by ${mindWords(status, rounds)}.`));
    for (const line of attentionLines(attention, out, out.width)) out.line(line);
    const next = nextOf(status);
    if (next) out.note(out.colors.dim(next));
  }
  mustHaveWorked(run);
  if (exchange.held && run?.state === 'running') throw held(id);
}

function held(thread: string): Failure {
  const sentence = `This thread is paused, so no mind is asked. Go on: heddle control ${thread} pause off, then: logos run`;
  return new Failure('paused', sentence, EXIT.refused, { thread });
}

function mustHaveWorked(run: RunView | undefined): void {
  const reason = run?.reason ?? '';
  if (run?.state !== 'paused' || !['failures', 'refused', 'auditor'].includes(reason)) return;
  throw new Failure('run_paused', `Run ${run.run} is paused: ${oneLine(run.why ?? '')}`, EXIT.failed, { reason });
}

const AUDITOR_FAILS =
  'Try again: logos run. Change the auditor: logos amend auditor -f FILE, or logos amend terms auditor_model=NAME. Go on without this audit: logos audit --skip --reason "…"';

/** What to type next. */
export function nextOf(status: ReturnType<typeof exchangeStatus>): string | undefined {
  const { pending, awaiting, run, halted, round } = status;
  if (halted) return 'Go on from here in a branch: logos branch. From earlier: logos rollback R';
  if (pending) return 'Decide: logos decide branch|rollback|amend|acknowledge|halt --reason "…"';
  if (awaiting !== undefined)
    return `Read it: logos audits ${awaiting}. Answer it: logos observe "…". Go on without an answer: logos run`;
  if (run?.state === 'paused' && run.reason === 'auditor') return AUDITOR_FAILS;
  if (run?.state === 'paused') return 'Go on: logos run. End it: logos stop';
  if (run?.interrupted) return 'Go on: logos run. End it: logos stop';
  if (run?.state === 'running') return 'See it as it comes: logos chat';
  return round === 0
    ? 'Let the minds think: logos run 5'
    : 'Go on: logos run 5. Read: logos log, logos audits, logos drift';
}

/** The thread that a command began. */
export function forkIn({ events }: Done): Event['thread'] | undefined {
  return events.find(({ type }) => type === 'thread.created')?.thread;
}

/** Whether a command set rounds going, here or in the thread it began. */
export function goesOn({ events }: Done): boolean {
  return events.some(({ type }) => type === 'rounds.started' || type === 'rounds.resumed');
}
