import { join } from 'node:path';
import { pluralize } from '../../core/text/pluralize.ts';
import { type ChainHead, describeFailure, workspaceHash } from '../../formats/verify/chain.ts';
import { planRepair, type RepairPlan } from '../../formats/verify/repair-plan.ts';
import type { EventLog } from '../../log/event-log.ts';
import { REPAIR } from '../../log/record-kinds.ts';
import { finishRepair } from '../../workspace/transfer.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { lockWorkspace, logLocationOf } from '../connect/workspace.ts';
import { Failure } from '../failure.ts';
import { withCommandPrefix } from '../output/hints.ts';
import { createProgress } from '../output/progress.ts';

export const declare: DeclareCommand = (command) =>
  command
    .option('--yes', 'do the repair; without this, only show what would be done')
    .examples('heddle repair', 'heddle repair --yes')
    .footnote(
      'Repairs forks that an earlier version linked to the wrong event, and nothing else. No text, author, time or number of an event changes; the forks, and forks of these forks, get new hashes. The damaged workspace is kept next to the repaired one. Stop the server first; with PostgreSQL, stop every server.',
    )
    .run(repair);

async function repair(cli: Cli, { yes = false }: { yes?: boolean }): Promise<void> {
  const lock = await lockWorkspace(cli);
  try {
    const { plan, head, heads } = await loadPlan(cli);
    if (plan.broken) {
      throw new Failure(
        'broken',
        `${describeFailure(plan.broken)} "heddle repair" cannot repair this damage. Nothing was changed. Restore a backup: heddle restore FILE`,
      );
    }
    const { out } = cli;
    if (plan.forks.length === 0)
      return out.answer({ ...summaryOf(plan), done: false }, 'Nothing to repair: every fork is linked correctly.');
    if (!yes) return out.answer({ ...summaryOf(plan), done: false }, ...planLines(plan));
    const backupPath = await mendWorkspace(cli, plan, head, heads);
    out.answer(
      { ...summaryOf(plan), done: true, kept: backupPath },
      `Repaired ${pluralize(plan.forks.length, 'fork')}; every link holds.`,
      `The damaged state is kept at ${backupPath}.`,
    );
  } finally {
    lock.release();
  }
}

async function loadPlan(cli: Cli) {
  const log = await cli.host.openLog(logLocationOf(cli));
  const progress = createProgress(cli.out, 'Looking', 'events');
  try {
    const plan = await planRepair(log, progress.update);
    return { plan, head: await log.head(), heads: await headsOf(log, plan) };
  } finally {
    progress.end();
    await log.close();
  }
}

function planLines(plan: RepairPlan): readonly string[] {
  const { forks, events } = summaryOf(plan);
  const threads = pluralize(plan.threads.size, 'thread');
  return [
    ...forks.map(({ thread, parent, seq, said }) => {
      return `Thread ${thread} names event ${said} of thread ${parent} as its origin, but was decided on event ${seq}.`;
    }),
    `The repair will link them to the event they were decided on and hash ${pluralize(events, 'event')} of ${threads} again. Numbers, texts, authors and times stay. The damaged state is kept.`,
    withCommandPrefix('Nothing was changed yet. To do it: heddle repair --yes'),
  ];
}

async function mendWorkspace(cli: Cli, plan: RepairPlan, head: number, oldHeads: ThreadHeads): Promise<string> {
  const repairedAt = new Date().toISOString();
  const suffix = `damaged-${repairedAt.replace(/[-:]|\.\d+/g, '')}`;
  const backupPath =
    cli.database === undefined ? `${cli.directory.database}.${suffix}` : join(cli.directory.path, `${suffix}.jsonl`);
  const record = { at: repairedAt, kept: backupPath, forks: plan.forks, old: Object.fromEntries(oldHeads) };
  const { forks, rewrites: mends } = plan;
  const records = [{ kind: REPAIR, key: repairedAt, value: JSON.stringify(record) }];
  const mendedLog = await cli.host.mendLog(logLocationOf(cli), { rewrites: mends, forks, records, head }, backupPath);
  const progress = createProgress(cli.out, 'Proving', 'events');
  const verification = await finishRepair(mendedLog.log, plan, { onProgress: progress.update }).finally(progress.end);
  if (verification.broken) {
    await mendedLog.discard();
    throw new Failure('broken', `${describeFailure(verification.broken)} The repair was not kept.`);
  }
  const newHeads = await headsOf(mendedLog.log, plan);
  await mendedLog.log.putRecords([
    { kind: REPAIR, key: repairedAt, value: JSON.stringify({ ...record, fresh: Object.fromEntries(newHeads) }) },
  ]);
  cli.out.note(`Heads of the repaired threads before ${workspaceHash(oldHeads)}, after ${workspaceHash(newHeads)}.`);
  return mendedLog.accept();
}

type ThreadHeads = ReadonlyMap<string, ChainHead>;

async function headsOf(log: EventLog, { threads }: RepairPlan): Promise<ThreadHeads> {
  const heads = new Map<string, ChainHead>();
  for (const thread of threads.keys()) {
    const last = await log.lastOf(thread);
    if (last) heads.set(thread, { seq: last.seq, hash: last.hash });
  }
  return heads;
}

function summaryOf({ forks, threads }: RepairPlan) {
  return { forks, events: [...threads.values()].reduce((sum, count) => sum + count, 0) };
}
