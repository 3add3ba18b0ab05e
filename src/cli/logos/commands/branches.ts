import { familyOf } from '../../../core/threads/view/fork-tree.ts';
import type { ThreadSummary } from '../../../core/threads/view/view.ts';
import type { EventLog } from '../../../log/event-log.ts';
import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { table } from '../../output/table.ts';
import { oneLine } from '../../output/text.ts';
import { current } from '../../threads/current.ts';
import { shortIds, threadsOfLog } from '../../threads/find.ts';
import { openExchange, withExchange } from '../reader.ts';

export const declare: Declare = (command, start) =>
  command
    .addHelpText('after', examples('logos branches', 'logos branches --json', 'logos open 7QK2ZC'))
    .action(() => branches(start()));

function branches(cli: Cli): Promise<void> {
  const { out } = cli;
  return withExchange(cli, async ({ id }, log) => {
    const family = familyOf(await threadsOfLog(log), id);
    const rows = await Promise.all(family.map((row) => rowOf(cli, log, row)));
    if (out.json) return out.value({ branches: rows });
    const chosen = current(cli);
    const short = shortIds(family);
    const cells = treeOf(rows).map(({ row, lead }) => [
      row.thread === chosen ? '→' : ' ',
      short(row.thread),
      `${row.rounds}`,
      row.branch ? `${row.branch.kind} from round ${row.branch.from.round}` : 'the beginning',
      `${lead}${oneLine(row.title)}`,
    ]);
    const paint = (cell: string, column: number) => (column === 4 ? cell : out.colors.dim(cell));
    for (const line of table([['', 'id', 'rounds', 'what', 'title'], ...cells], out.width, paint)) out.line(line);
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

type Row = Awaited<ReturnType<typeof rowOf>>;

/** Each below the one it comes from. */
function treeOf(rows: readonly Row[]): readonly { readonly row: Row; readonly lead: string }[] {
  const children = Map.groupBy(rows, ({ forked_from }) => forked_from?.thread);
  const visit = (row: Row, lead: string, below: string): { row: Row; lead: string }[] => {
    const own = children.get(row.thread) ?? [];
    return [
      { row, lead },
      ...own.flatMap((child, i) => {
        const last = i === own.length - 1;
        return visit(child, `${below}${last ? '└ ' : '├ '}`, `${below}${last ? '  ' : '│ '}`);
      }),
    ];
  };
  return rows[0] ? visit(rows[0], '', '') : [];
}
