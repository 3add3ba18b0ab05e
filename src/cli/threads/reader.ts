import type { Client, ThreadClient, ThreadRow } from '../../client/index.ts';
import type { Modes } from '../../core/modes.ts';
import { withArticle } from '../../core/text/article.ts';
import { modeState, type State, workspace } from '../../core/workspace.ts';
import type { Cli } from '../cli.ts';
import { withReader } from '../connect/reader.ts';
import { EXIT, Failure } from '../failure.ts';
import { oneLine } from '../output/text.ts';
import { requireCurrentThread, targetOf } from './current.ts';
import { findThreadRow } from './find.ts';

const PAGE = 1000;

/** Runs `work` with the current thread, which is of the program's kind. */
export function withCurrentThread<T>(
  cli: Cli,
  work: (thread: ThreadClient, row: ThreadRow, client: Client) => T | Promise<T>,
): Promise<T> {
  const name = requireCurrentThread(cli);
  return withReader(cli, async (client) => {
    const row = await findThreadOfKind(cli, client, name);
    return work(client.thread(row.id), row, client);
  });
}

/** Finds a thread of the kind that the program works with. */
export async function findThreadOfKind(cli: Cli, client: Client, name: string): Promise<ThreadRow> {
  const row = await findThreadRow(client, name);
  if (row.kind !== targetOf(cli).kind) throw wrongKindFailure(cli, row);
  return row;
}

/** The state of a thread as it grows, folded from its events. */
export interface ThreadReader<ModeState> {
  readonly id: string;
  readonly title: string;
  /** What the kind of the thread adds to a conversation. */
  readonly state: ModeState;
  /** Reads new events; true if there were any. */
  refresh(): Promise<boolean>;
}

type ModeStateOf<Kind extends keyof Modes> = NonNullable<ReturnType<typeof modeState<Kind>>>;

export async function openThreadReader<Kind extends keyof Modes>(
  thread: ThreadClient,
  kind: Kind,
): Promise<ThreadReader<ModeStateOf<Kind>>> {
  let state: State = workspace.initial(thread.id);
  let cursor: string | undefined;

  async function refresh(): Promise<boolean> {
    const before = cursor;
    for (;;) {
      const page = await thread.events({ after: cursor, limit: PAGE });
      for (const event of page.events) state = workspace.evolve(state, event);
      cursor = page.cursor;
      if (cursor === page.head) return cursor !== before;
    }
  }

  await refresh();
  return {
    id: thread.id,
    get title() {
      return state.thread.title;
    },
    get state() {
      return modeState(kind, state) as ModeStateOf<Kind>;
    },
    refresh,
  };
}

/** Reads all pages of a list, newest first. */
export async function readAllPages<Row>(
  readPage: (before: number | undefined) => Promise<readonly Row[]>,
  numberOf: (row: Row) => number,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const last = rows.at(-1);
    const rowsOfPage = await readPage(last && numberOf(last));
    rows.push(...rowsOfPage);
    if (rowsOfPage.length === 0 || numberOf(rowsOfPage.at(-1) as Row) <= 1) return rows;
  }
}

/** Removes `head`, the thread position that the server adds to an answer. */
export function withoutHead<View extends { readonly head: string }>({ head: _, ...view }: View): Omit<View, 'head'> {
  return view;
}

/** The failure for a thread of another kind than the program works with. */
function wrongKindFailure(cli: Cli, thread: { readonly title: string; readonly kind: string }): Failure {
  const { kind } = targetOf(cli);
  const [actual, expected] = [withArticle(thread.kind), withArticle(kind)];
  return new Failure(
    'wrong_kind',
    `"${oneLine(thread.title)}" is ${actual}, not ${expected}. "${cli.program.name} open" lists the ${kind}s.`,
    EXIT.refused,
  );
}
