import type { Client, SearchAnswer, SearchHit } from '../../client/index.ts';
import { textKinds } from '../../core/search/kinds.ts';
import type { Cli } from '../cli.ts';
import { type Declare, examples } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { usage } from '../failure.ts';
import type { Output } from '../output/output.ts';
import { createProgress } from '../output/progress.ts';
import { oneLine, wrap } from '../output/text.ts';
import { ago, momentOf } from '../output/time.ts';
import { threadOfClient } from '../threads/find.ts';

interface Options {
  readonly kind?: string;
  readonly from?: string;
  readonly after?: string;
  readonly before?: string;
  readonly thread?: string;
  readonly limit: string;
}

export const declare: Declare = (command, start) =>
  command
    .argument('[words...]', 'what to look for: words, "words in a row", -not, begin*')
    .option('--kind <kinds>', `only these, with commas between: ${textKinds.join(', ')}`)
    .option('--from <participant>', 'only what this participant wrote')
    .option(
      '--after <time>',
      'only from then on: 2026-11-01, 2026-11-01T09:30, or 3d for the last three days (h, d, w)',
    )
    .option('--before <time>', 'only up to then')
    .option('--thread <thread>', 'only in this thread: its id, the beginning or end of it, or its exact title')
    .option('--limit <n>', 'show at most N, up to 100', '20')
    .addHelpText(
      'after',
      examples(
        'heddle search roses',
        `heddle search '"plant the roses" -tulips'`,
        'heddle search garden --kind draft,thought --after 3d',
        'heddle search budget --from ann --thread Garden --json',
        'heddle search --kind audit',
      ),
    )
    .addHelpText(
      'after',
      '\nCase and accents do not matter. Each hit ends with a link: the page opens it, "heddle explain" tells where it is from.',
    )
    .action((words: readonly string[], options: Options) => search(start(), words, options));

async function search(cli: Cli, words: readonly string[], options: Options): Promise<void> {
  const { out } = cli;
  const q = words.join(' ');
  if (!/^\d{1,3}$/.test(options.limit)) throw usage(`"--limit ${options.limit}" is not a number of hits.`);
  const { kind, from, after, before, thread } = options;
  const { answer, url } = await withClient(cli, async (client, server) => {
    const wish: Wish = {
      ...{ q, limit: Number(options.limit) },
      ...(kind !== undefined && { kind }),
      ...(from !== undefined && { from }),
      ...(after !== undefined && { after: timeIn(after) }),
      ...(before !== undefined && { before: timeIn(before) }),
      ...(thread !== undefined && { thread: await threadOfClient(client, thread) }),
    };
    const found = server ? await client.search(wish) : await searchAll(out, client, wish);
    return { answer: await beyondNothing(client, wish, found), url: server?.page ?? '' };
  });
  if (out.json) return out.value(answer);
  for (const hit of answer.hits) print(out, hit, url);
  if (answer.hits.length === 0) out.note('Nothing was found.');
  else if (answer.more) out.note('There is more: give more words or a filter, or a higher --limit.');
  const { events, total } = answer.indexed;
  if (events < total)
    out.note(`Only ${events} of ${total} events can be found yet: the server is still taking them in.`);
}

type Wish = Parameters<Client['search']>[0];

/** Where no server runs, nobody else takes in what is missing: this is done first. */
async function searchAll(out: Output, client: Client, wish: Wish): Promise<SearchAnswer> {
  const progress = createProgress(out, 'Taking in', 'events');
  try {
    for (;;) {
      const answer = await client.search(wish);
      const { events, total } = answer.indexed;
      if (events >= total) return answer;
      progress.update(events, total);
    }
  } finally {
    progress.end();
  }
}

/** A look takes little time, whatever is looked for: where it found nothing and did not come to the end, it goes on. */
async function beyondNothing(client: Client, wish: Wish, first: SearchAnswer): Promise<SearchAnswer> {
  let answer = first;
  while (answer.hits.length === 0 && answer.cursor !== undefined) {
    answer = await client.search({ ...wish, cursor: answer.cursor });
  }
  return answer;
}

function print(out: Output, { title, kind, from, ts, parts, link }: SearchHit, url: string): void {
  const { colors } = out;
  const words = parts
    .map(({ text, hit }) => ({ hit, text: text.replaceAll(MARK, '') }))
    .map(({ text, hit }) => (hit ? `${MARK}${text}${MARK}` : text))
    .join('');
  out.line(`${colors.bold(oneLine(title))}  ${colors.dim(`${kind} by ${oneLine(from)}, ${ago(ts, Date.now())}`)}`);
  let marked = false;
  for (const line of wrap(oneLine(words.replaceAll('\n', ' ')), out.width - 2)) {
    const painted = line.split(MARK).map((piece, i) => {
      if (i > 0) marked = !marked;
      return marked ? colors.bold(colors.green(piece)) : piece;
    });
    out.line(`  ${painted.join('')}`);
  }
  out.line(`  ${colors.dim(new URL(link, url || 'http://here').href.replace(/^http:\/\/here/, ''))}`);
}

/** A character of no width: where a hit begins and where it ends, until the lines are known. */
const MARK = '\u2060';

function timeIn(text: string): string {
  const time = momentOf(text, Date.now());
  if (time !== undefined) return new Date(time).toISOString();
  throw usage(`"${oneLine(text)}" is no time. Write it as 2026-11-01, 2026-11-01T09:30, or 3d for three days ago.`);
}
