import type { Client, ExchangeStatus, ThreadClient } from '../../client/index.ts';
import type { Event } from '../../core/events/event.ts';
import { AuditFailed } from '../../core/exchange/events.ts';
import type { Exchange } from '../../core/exchange/state.ts';
import type { AuditRow, ExchangeRunView, RoundRow } from '../../core/exchange/view/schema.ts';
import { auditsView, exchangeStatus, roundsView } from '../../core/exchange/view/view.ts';
import type { RunningServer } from '../../workspace/server-file.ts';
import type { Cli } from '../cli.ts';
import { watchChanges } from '../connect/changes.ts';
import { askWithFailover, withWorker } from '../connect/client.ts';
import { createServerWatch } from '../connect/server-watch.ts';
import { EXIT, Failure } from '../failure.ts';
import { interruptSignal } from '../output/progress.ts';
import { oneLine } from '../output/text.ts';
import { followRun } from '../run/follow.ts';
import { createRunProgress } from '../run/progress.ts';
import type { RunSummary } from '../run/summary.ts';
import { setCurrentThread } from '../threads/current.ts';
import { openThreadReader, type ThreadReader, withCurrentThread } from '../threads/reader.ts';
import type { ThreadCommandResult } from '../threads/send.ts';
import { attentionLines, auditLines, formatMinds, roundLines } from './format.ts';
import { summarizeRounds } from './run.ts';

const RECENT_EVENTS = 50;

export type ExchangeReader = ThreadReader<Exchange>;

/** The event to wait for: the end of the rounds, or an audit. */
export interface FollowTarget {
  /** The thread to follow, if it is a different one. */
  readonly thread?: string | undefined;
  /** Stop after this many rounds. */
  readonly maxRounds?: number | undefined;
  /** Wait only for the requested audit, not for rounds in progress. */
  readonly audit?: true;
}

/** Sends the command that starts the work; undefined if there is nothing to wait for. */
type BeginRounds = (thread: ThreadClient, reader: ExchangeReader) => Promise<FollowTarget | undefined>;
type OnRound = (row: RoundRow) => void;

/** Follows what a command started, if anything, and prints the final status. */
export async function followAndConclude(cli: Cli, begin: BeginRounds, onRound?: OnRound): Promise<void> {
  let target: FollowTarget | undefined;
  const beginOnce: BeginRounds = async (thread, reader) => {
    target = await begin(thread, reader);
    return target;
  };
  const reader = await followRounds(cli, beginOnce, onRound);
  if (target) printConclusion(cli, reader);
}

/**
 * Runs the rounds to their end and prints what happens. The server does the
 * work, or this process without one. Continues into a branch that the terms
 * open automatically.
 */
export function followRounds(
  cli: Cli,
  begin: BeginRounds,
  onRound: OnRound = createRoundPrinter(cli),
): Promise<ExchangeReader> {
  const signal = interruptSignal();
  return withCurrentThread(cli, async (thread, _, readClient) => {
    const openReader = (id: string) => openThreadReader(readClient.thread(id), 'exchange');
    const initialReader = await openReader(thread.id);
    return withWorker(cli, async (client, server) => {
      const initialCounts = countsOf(initialReader);
      const target = await begin(client.thread(initialReader.id), initialReader);
      await initialReader.refresh();
      if (!target) return initialReader;
      let reader = target.thread === undefined ? initialReader : await openReader(target.thread);
      let startCounts = reader === initialReader ? initialCounts : inheritedCounts(reader);
      for (;;) {
        await followThread(cli, { readClient, client, server, reader, startCounts, target, onRound, signal });
        if (target.audit && reader.state.audits.length === startCounts.audits)
          throw await missingAuditFailure(readClient, reader, signal);
        const branch = autoBranchOf(reader);
        if (branch === undefined || signal.aborted) return reader;
        setCurrentThread(cli, branch);
        reader = await openReader(branch);
        cli.out.note(
          `By its terms, the exchange continues in “${oneLine(reader.title)}”, which is now the current exchange.`,
        );
        startCounts = inheritedCounts(reader);
      }
    });
  });
}

interface ExchangeCounts {
  readonly rounds: number;
  readonly audits: number;
}

interface FollowContext {
  readonly readClient: Client;
  readonly client: Client;
  readonly server: RunningServer | undefined;
  readonly reader: ExchangeReader;
  readonly startCounts: ExchangeCounts;
  readonly target: FollowTarget;
  readonly onRound: OnRound;
  readonly signal: AbortSignal;
}

async function followThread(cli: Cli, context: FollowContext): Promise<void> {
  const { readClient, client, server, reader, startCounts, target, onRound, signal } = context;
  const changes = watchChanges(cli, readClient, signal);
  let { rounds, audits } = startCounts;
  const first = rounds;
  try {
    await followRun({
      ...{ changes, signal, thread: client.thread(reader.id), refresh: reader.refresh },
      assertServed: createServerWatch(cli, server),
      progress: createRunProgress(cli.out, 'round'),
      printNew(clear) {
        const { state: exchange } = reader;
        for (; rounds < exchange.rounds.length; rounds++) {
          clear();
          onRound(roundsView(exchange, { before: rounds + 2, limit: 1 }).rounds[0] as RoundRow);
        }
        for (; audits < exchange.audits.length; audits++) {
          clear();
          printAudit(cli, auditsView(exchange, { before: audits + 2, limit: 1 }).audits[0] as AuditRow);
        }
      },
      isRunning() {
        const { state: exchange } = reader;
        // An audit waits for the current round to end, and an unfinished round ends only during a run.
        const canProceed = exchange.run?.state === 'running' || exchange.current.spoken === 0;
        if (target.audit) return !exchange.held && exchange.auditAsked && audits === startCounts.audits && canProceed;
        if (exchange.held) return false;
        // A restart with the "branch" policy will still open its branch.
        return exchange.run?.state === 'running' || exchange.pending?.policy === 'branch';
      },
      hasReachedLimit: () => target.maxRounds !== undefined && rounds - first >= target.maxRounds,
      stop: () =>
        askWithFailover(cli, client, (currentClient) => currentClient.thread(reader.id).command('stop_run', {})),
      showProgress(progress) {
        const { state: exchange } = reader;
        const { run, auditing } = exchangeStatus(exchange);
        const waiting = run?.waiting ?? auditing?.waiting;
        if (run)
          progress.show(
            { ...run, waiting },
            exchange.auditDue ? `Audit ${audits + 1}` : progressLabel(reader, rounds + 1),
          );
      },
    });
  } finally {
    changes.close();
  }
}

function progressLabel({ state: exchange }: ExchangeReader, round: number): string {
  const { minds, spoken } = exchangeStatus(exchange);
  return minds.length === 1 ? `Round ${round}` : `Round ${round}, ${spoken} of ${minds.length} minds`;
}

function countsOf({ state: exchange }: ExchangeReader): ExchangeCounts {
  return { rounds: exchange.rounds.length, audits: exchange.audits.length };
}

/** Explains why a requested audit was not written. */
async function missingAuditFailure(
  client: Client,
  { id, state: exchange }: ExchangeReader,
  signal: AbortSignal,
): Promise<Failure> {
  if (signal.aborted) return new Failure('stopped', 'Stopped before the audit was written.');
  if (exchange.held) return pausedFailure(id);
  if (exchange.auditAsked) {
    const sentence = 'It will be written when the current round is complete: logos run';
    return new Failure('not_yet', sentence, EXIT.refused);
  }
  const { events } = await client.thread(id).events({ before: 'head', limit: RECENT_EVENTS });
  const failed = events.flatMap((event) => AuditFailed.read(event) ?? []).at(-1);
  const problem = failed?.content.problem ?? '';
  return new Failure('audit_failed', `The auditor’s answer cannot be used: ${oneLine(problem)}`);
}

/** The rounds and audits a branch inherits from its parent. */
function inheritedCounts({ state: exchange }: ExchangeReader): ExchangeCounts {
  const round = exchange.branch?.from.round ?? 0;
  const audits = exchange.audits.slice().filter(({ content }) => content.round <= round).length;
  return { rounds: round, audits };
}

/** The branch in which the exchange continued automatically, as its terms require. */
export function autoBranchOf({ state: exchange }: ExchangeReader): string | undefined {
  const answer = exchange.restarts.at(-1)?.answer;
  return answer?.auto && exchange.run?.reason === 'branched' ? answer.thread : undefined;
}

function createRoundPrinter({ out }: Cli) {
  return (row: RoundRow) => {
    out.answer({ round: row }, ...roundLines(row, out, out.width));
  };
}

function printAudit({ out }: Cli, audit: AuditRow): void {
  out.answer({ audit }, '', ...auditLines(audit, out, out.width, Date.now()), '');
}

/** Prints the final status. Rounds that cannot continue by themselves are a failure. */
function printConclusion({ out }: Cli, { id, state: exchange }: ExchangeReader): void {
  const status = exchangeStatus(exchange);
  const { run, attention } = status;
  if (out.json) out.value({ thread: id, run, attention });
  else {
    if (run) out.line(out.colors.dim(summarizeRounds(run, out.currency)));
    const { rounds } = roundsView(exchange, { limit: Math.max(1, run?.done ?? 1) });
    out.line(out.colors.dim(`Thoughts by ${formatMinds(status, rounds)}.`));
    out.lines(attentionLines(attention, out, out.width));
    const next = nextStepOf(status);
    if (next) out.note(out.colors.dim(next));
  }
  assertRunSucceeded(run);
  if (exchange.held && run?.state === 'running') throw pausedFailure(id);
}

function pausedFailure(thread: string): Failure {
  const sentence = `This thread is paused, so no mind works. Resume it: heddle control ${thread} pause off, then: logos run`;
  return new Failure('paused', sentence, EXIT.refused, { thread });
}

function assertRunSucceeded(run: ExchangeRunView | undefined): void {
  const reason = run?.reason ?? '';
  if (run?.state !== 'paused' || !['failures', 'refused', 'auditor'].includes(reason)) return;
  throw new Failure('run_paused', `Run ${run.run} is paused: ${oneLine(run.why ?? '')}`, EXIT.failed, { reason });
}

const AUDITOR_HELP =
  'Try again: logos run. Change the auditor: logos amend auditor -f FILE, or logos amend terms auditor_model=NAME. Skip this audit: logos audit --skip --reason "…"';

type ExchangeStanding = Pick<ExchangeStatus, 'pending' | 'awaiting' | 'halted' | 'round'> & {
  readonly run?: Pick<RunSummary, 'state' | 'reason' | 'interrupted'> | undefined;
};

/** A hint for the next command to type. */
export function nextStepOf(status: ExchangeStanding): string | undefined {
  const { pending, awaiting, run, halted, round } = status;
  if (halted) return 'Continue from here in a branch: logos branch. From an earlier round: logos rollback R';
  if (pending) return 'Decide: logos decide branch|rollback|amend|acknowledge|halt --reason "…"';
  if (awaiting !== undefined)
    return `Read it: logos audits ${awaiting}. Answer it: logos observe "…". Continue without an answer: logos run`;
  if (run?.state === 'paused' && run.reason === 'auditor') return AUDITOR_HELP;
  if (run?.state === 'paused') return 'Continue: logos run. End it: logos stop';
  if (run?.interrupted) return 'Continue: logos run. End it: logos stop';
  if (run?.state === 'running') return 'Follow it live: logos chat';
  return round === 0
    ? 'Let the minds think: logos run 5'
    : 'Continue: logos run 5. Read: logos log, logos audits, logos drift';
}

/** The thread that a command created. */
export function createdThreadOf({ events }: ThreadCommandResult): Event['thread'] | undefined {
  return events.find(({ type }) => type === 'thread.created')?.thread;
}

/** Whether a command started rounds, here or in the thread it created. */
export function hasStartedRounds({ events }: ThreadCommandResult): boolean {
  return events.some(({ type }) => type === 'rounds.started' || type === 'rounds.resumed');
}

/** The rounds or the branch that a command started. */
export function startedBy(result: ThreadCommandResult): FollowTarget | undefined {
  const thread = createdThreadOf(result);
  return thread !== undefined || hasStartedRounds(result) ? { thread } : undefined;
}
