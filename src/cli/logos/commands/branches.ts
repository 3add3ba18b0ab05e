import type { BranchItem } from '../../../client/index.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { printTable } from '../../output/table.ts';
import { oneLine } from '../../output/text.ts';
import { currentThread } from '../../threads/current.ts';
import { createIdShortener } from '../../threads/find.ts';
import { withCurrentThread } from '../../threads/reader.ts';

export const declare: DeclareCommand = (command) =>
  command.examples('logos branches', 'logos branches --json', 'logos open 7QK2ZC').run(branches);

function branches(cli: Cli): Promise<void> {
  const { out } = cli;
  return withCurrentThread(cli, async ({ exchange }) => {
    const { branches: rows } = await exchange.branches();
    if (out.json) return out.value({ branches: rows });
    const currentId = currentThread(cli);
    const shortId = createIdShortener(rows.map(({ thread }) => thread));
    const cells = treeOf(rows).map(({ row, prefix }) => [
      row.thread === currentId ? '→' : ' ',
      shortId(row.thread),
      `${row.rounds ?? ''}`,
      row.branch ? `${row.branch.kind} from round ${row.branch.from.round}` : 'the beginning',
      `${prefix}${oneLine(row.title)}`,
    ]);
    printTable(out, [['', 'id', 'rounds', 'what', 'title'], ...cells], 4);
    const next =
      rows.length === 1 ? 'Create one: logos branch' : 'Compare two: logos compare A B. Switch to one: logos open ID';
    out.note(out.colors.dim(next));
  });
}

/** Places each branch below its parent. */
function treeOf(rows: readonly BranchItem[]): readonly { readonly row: BranchItem; readonly prefix: string }[] {
  const children = Map.groupBy(rows, ({ forked_from }) => forked_from?.thread);
  const visit = (row: BranchItem, prefix: string, indent: string): { row: BranchItem; prefix: string }[] => {
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
