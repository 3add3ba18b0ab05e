import { join } from 'node:path';
import { type Head, sentenceOf, workspaceHash } from '../../formats/verify/chain.ts';
import { planRepair, type RepairPlan } from '../../formats/verify/repair-plan.ts';
import type { EventLog } from '../../log/event-log.ts';
import { REPAIR } from '../../log/record-kinds.ts';
import { settleMended } from '../../workspace/transfer.ts';
import type { Cli } from '../cli.ts';
import { type Declare, examples } from '../command.ts';
import { lockWorkspace, placeOf } from '../connect/workspace.ts';
import { Failure } from '../failure.ts';
import { asStarted } from '../output/hints.ts';
import { counted } from '../output/numbers.ts';
import { createProgress } from '../output/progress.ts';

export const declare: Declare = (command, start) =>
  command
    .option('--yes', 'do it; without this, only say what would be done')
    .addHelpText('after', examples('heddle repair', 'heddle repair --yes'))
    .addHelpText(
      'after',
      '\nMends forks that an earlier version linked to another event than they name, and nothing else. No text, author, time or number of an event changes; the forks and what was forked from them get new hashes. The damaged workspace is kept beside the mended one. Stop the server first; with PostgreSQL, every one.',
    )
    .action(({ yes = false }: { yes?: boolean }) => repair(start(), yes));

async function repair(cli: Cli, yes: boolean): Promise<void> {
  const lock = await lockWorkspace(cli);
  try {
    const { plan, head, heads } = await plannedFor(cli);
    if (plan.broken) {
      throw new Failure(
        'broken',
        `${sentenceOf(plan.broken)} That is other damage than repair knows how to mend. Nothing was changed: restore a backup with "heddle restore".`,
      );
    }
    if (plan.forks.length === 0) {
      if (cli.out.json) cli.out.value({ forks: [], events: 0, done: false });
      else cli.out.line('Nothing to repair: every fork begins where it says.');
      return;
    }
    if (!yes) return say(cli, plan);
    const keptAt = await mend(cli, plan, head, heads);
    if (cli.out.json) {
      cli.out.value({ ...summaryOf(plan), done: true, kept: keptAt });
      return;
    }
    cli.out.line(`Mended ${counted(plan.forks.length, 'fork')}; every link holds.`);
    cli.out.line(`The damaged state is kept at ${keptAt}.`);
  } finally {
    lock.release();
  }
}

async function plannedFor(cli: Cli) {
  const log = await cli.host.openLog(placeOf(cli));
  const progress = createProgress(cli.out, 'Looking', 'events');
  try {
    const plan = await planRepair(log, progress.update);
    return { plan, head: await log.head(), heads: await headsOf(log, plan) };
  } finally {
    progress.end();
    await log.close();
  }
}

function say({ out }: Cli, plan: RepairPlan): void {
  if (out.json) {
    out.value({ ...summaryOf(plan), done: false });
    return;
  }
  for (const { thread, parent, seq, said } of plan.forks) {
    out.line(`Thread ${thread} says it forks from event ${said} of thread ${parent}, and was decided on event ${seq}.`);
  }
  const { events } = summaryOf(plan);
  const threads = counted(plan.threads.size, 'thread');
  out.line(
    `They will be made to name the event they were decided on, and ${counted(events, 'event')} of ${threads} will be hashed again. Numbers, texts, authors and times stay. The damaged state is kept.`,
  );
  out.line(asStarted('Nothing was changed yet. To do it: heddle repair --yes'));
}

async function mend(cli: Cli, plan: RepairPlan, head: number, old: Heads): Promise<string> {
  const at = new Date().toISOString();
  const ending = `damaged-${at.replace(/[-:]|\.\d+/g, '')}`;
  const keepAt =
    cli.database === undefined ? `${cli.directory.database}.${ending}` : join(cli.directory.path, `${ending}.jsonl`);
  const note = { at, kept: keepAt, forks: plan.forks, old: Object.fromEntries(old) };
  const { forks, mends } = plan;
  const records = [{ kind: REPAIR, key: at, value: JSON.stringify(note) }];
  const mended = await cli.host.mendLog(placeOf(cli), { mends, forks, records, head }, keepAt);
  const progress = createProgress(cli.out, 'Proving', 'events');
  const verified = await settleMended(mended.log, plan, { progress: progress.update }).finally(progress.end);
  if (verified.broken) {
    await mended.discard();
    throw new Failure('broken', `${sentenceOf(verified.broken)} The repair was not kept.`);
  }
  const fresh = await headsOf(mended.log, plan);
  await mended.log.putRecords([
    { kind: REPAIR, key: at, value: JSON.stringify({ ...note, fresh: Object.fromEntries(fresh) }) },
  ]);
  cli.out.note(`Heads of the mended threads before ${workspaceHash(old)}, after ${workspaceHash(fresh)}.`);
  return mended.accept();
}

type Heads = ReadonlyMap<string, Head>;

async function headsOf(log: EventLog, { threads }: RepairPlan): Promise<Heads> {
  const heads = new Map<string, Head>();
  for (const thread of threads.keys()) {
    const last = await log.lastOf(thread);
    if (last) heads.set(thread, { seq: last.seq, hash: last.hash });
  }
  return heads;
}

function summaryOf({ forks, threads }: RepairPlan) {
  return { forks, events: [...threads.values()].reduce((sum, count) => sum + count, 0) };
}
