import { forkTreeOf } from '../../../core/threads/view/fork-tree.ts';
import type { ThreadSummary } from '../../../core/threads/view/view.ts';
import type { EventLog } from '../../../log/event-log.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { printTable } from '../../output/table.ts';
import { oneLine } from '../../output/text.ts';
import { currentThread } from '../../threads/current.ts';
import { createIdShortener, listThreadsInLog } from '../../threads/find.ts';
import { openExchange, withExchange } from '../reader.ts';

export const declare: DeclareCommand = (command, getCli) =>
  command.examples('logos branches', 'logos branches --json', 'logos open 7QK2ZC').action(() => branches(getCli()));

function branches(cli: Cli): Promise<void> {
  const { out } = cli;
  return withExchange(cli, async ({ id }, log) => {
    const family = forkTreeOf(await listThreadsInLog(log), id);
    const rows = await Promise.all(family.map((row) => rowOf(cli, log, row)));
    if (out.json) return out.value({ branches: rows });
    const currentId = currentThread(cli);
    const shortId = createIdShortener(family.map(({ id }) => id));
    const cells = treeOf(rows).map(({ row, prefix }) => [
      row.thread === currentId ? '→' : ' ',
      shortId(row.thread),
      `${row.rounds}`,
      row.branch ? `${row.branch.kind} from round ${row.branch.from.round}` : 'the beginning',
      `${prefix}${oneLine(row.title)}`,
    ]);
    printTable(out, [['', 'id', 'rounds', 'what', 'title'], ...cells], 4);
    const next =
      rows.length === 1 ? 'Begin one: logos branch' : 'Compare two: logos compare A B. Go on in one: logos open ID';
    out.note(out.colors.dim(next));
  });
}

async function rowOf(cli: Cli, log: EventLog, { id, title, created, forked_from }: ThreadSummary) {
  const { exchange } = await openExchange(cli, log, id);
  return {
    ...{ thread: id, title, created },
    ...(forked_from && { forked_from }),
    ...{ phase: exchange.phase, rounds: exchange.rounds.length },
    ...(exchange.branch && { branch: exchange.branch }),
  };
}

type BranchRow = Awaited<ReturnType<typeof rowOf>>;

/** Places each branch below its parent. */
function treeOf(rows: readonly BranchRow[]): readonly { readonly row: BranchRow; readonly prefix: string }[] {
  const children = Map.groupBy(rows, ({ forked_from }) => forked_from?.thread);
  const visit = (row: BranchRow, prefix: string, indent: string): { row: BranchRow; prefix: string }[] => {
    const childRows = children.get(row.thread) ?? [];
    return [
      { row, prefix },
      ...childRows.flatMap((child, i) => {
        const last = i === childRows.length - 1;
        return visit(child, `${indent}${last ? '└ ' : '├ '}`, `${indent}${last ? '  ' : '│ '}`);
      }),
    ];
  };
  return rows[0] ? visit(rows[0], '', '') : [];
}
