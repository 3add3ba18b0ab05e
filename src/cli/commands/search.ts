import type { Client, SearchHit, SearchPage } from '../../client/index.ts';
import { textKinds } from '../../core/search/kinds.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { usageError } from '../failure.ts';
import { THREAD_HELP } from '../input/thread-help.ts';
import type { TerminalOutput } from '../output/output.ts';
import { createProgress } from '../output/progress.ts';
import { oneLine, wrap } from '../output/text.ts';
import { formatAgo, parseMoment } from '../output/time.ts';
import { resolveThreadId } from '../threads/find.ts';

interface SearchCommandOptions {
  readonly kind?: string;
  readonly from?: string;
  readonly after?: string;
  readonly before?: string;
  readonly thread?: string;
  readonly tag?: string;
  readonly archived?: boolean;
  readonly limit: string;
}

export const declare: DeclareCommand = (command) =>
  command
    .argument('[words...]', 'what to look for: words, "exact phrase", -not, begin*')
    .option('--kind <kinds>', `only these kinds, separated by commas: ${textKinds.join(', ')}`)
    .option('--from <participant>', 'only what this participant wrote')
    .option(
      '--after <time>',
      'only from this time on: 2026-11-01, 2026-11-01T09:30, or 3d for the last three days (h, d, w)',
    )
    .option('--before <time>', 'only up to this time')
    .option('--thread <thread>', `only in this thread: ${THREAD_HELP}`)
    .option('--tag <tag>', 'only in threads that have this tag')
    .option('--archived', 'also search archived threads')
    .option('--limit <n>', 'show at most N, up to 100', '20')
    .examples(
      'heddle search roses',
      `heddle search '"plant the roses" -tulips'`,
      'heddle search garden --kind draft,thought --after 3d',
      'heddle search budget --from ann --thread Garden --json',
      'heddle search --kind audit',
    )
    .footnote(
      'Case and accents do not matter. Each hit ends with a link: open it on the page, or see its source with "heddle explain".',
    )
    .run(search);

async function search(cli: Cli, words: readonly string[], options: SearchCommandOptions): Promise<void> {
  const { out } = cli;
  const q = words.join(' ');
  if (!/^\d{1,3}$/.test(options.limit)) throw usageError(`"--limit ${options.limit}" is not a valid number of hits.`);
  const { kind, from, after, before, thread, tag, archived } = options;
  const { answer: result, url } = await withClient(cli, async (client, server) => {
    const query: WorkspaceSearchQuery = {
      ...{ q, limit: Number(options.limit), kind, from },
      after: after === undefined ? undefined : parseTime(after),
      before: before === undefined ? undefined : parseTime(before),
      tag,
      archived: archived ? 'true' : undefined,
      thread: thread === undefined ? undefined : await resolveThreadId(client, thread),
    };
    const firstPage = server ? await client.search(query) : await searchAfterIndexing(out, client, query);
    return { answer: await searchUntilHit(client, query, firstPage), url: server?.page ?? '' };
  });
  if (out.json) return out.value(result);
  for (const hit of result.hits) printHit(out, hit, url);
  if (result.hits.length === 0) out.note('Nothing was found.');
  else if (result.more) out.note('There are more hits: add words, a filter or a higher --limit.');
  const { events, total } = result.indexed;
  if (events < total)
    out.note(`Only ${events} of ${total} events can be found so far: the server is still indexing the rest.`);
}

type WorkspaceSearchQuery = Parameters<Client['search']>[0];

/** Without a server nobody else updates the index, so this finishes indexing before it searches. */
async function searchAfterIndexing(
  out: TerminalOutput,
  client: Client,
  query: WorkspaceSearchQuery,
): Promise<SearchPage> {
  const progress = createProgress(out, 'Indexing', 'events');
  try {
    for (;;) {
      const result = await client.search(query);
      const { events, total } = result.indexed;
      if (events >= total) return result;
      progress.update(events, total);
    }
  } finally {
    progress.end();
  }
}

/** One search request is limited in time. Continues while there are no hits and the end is not reached. */
async function searchUntilHit(client: Client, query: WorkspaceSearchQuery, firstPage: SearchPage): Promise<SearchPage> {
  let result = firstPage;
  while (result.hits.length === 0 && result.cursor !== undefined) {
    result = await client.search({ ...query, cursor: result.cursor });
  }
  return result;
}

function printHit(out: TerminalOutput, { title, kind, from, ts, parts, link }: SearchHit, url: string): void {
  const { colors } = out;
  const words = parts
    .map(({ text, hit }) => ({ hit, text: text.replaceAll(HIT_MARK, '') }))
    .map(({ text, hit }) => (hit ? `${HIT_MARK}${text}${HIT_MARK}` : text))
    .join('');
  out.line(
    `${colors.bold(oneLine(title))}  ${colors.dim(`${kind} by ${oneLine(from)}, ${formatAgo(ts, Date.now())}`)}`,
  );
  let isInHit = false;
  for (const line of wrap(oneLine(words.replaceAll('\n', ' ')), out.width - 2)) {
    const pieces = line.split(HIT_MARK).map((piece, i) => {
      if (i > 0) isInHit = !isInHit;
      return isInHit ? colors.bold(colors.green(piece)) : piece;
    });
    out.line(`  ${pieces.join('')}`);
  }
  out.line(`  ${colors.dim(new URL(link, url || 'http://here').href.replace(/^http:\/\/here/, ''))}`);
}

/** A zero-width character that marks the start and end of a hit until the text is wrapped. */
const HIT_MARK = '\u2060';

function parseTime(text: string): string {
  const time = parseMoment(text, Date.now());
  if (time !== undefined) return new Date(time).toISOString();
  throw usageError(
    `"${oneLine(text)}" is not a time. Write it as 2026-11-01, 2026-11-01T09:30, or 3d for three days ago.`,
  );
}
