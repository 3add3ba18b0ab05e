import { type DraftItem, type DraftPage, HeddleRefusal, type ThreadClient } from '../../../client/index.ts';
import { DraftsSeen } from '../../../core/dialogue/events.ts';
import { diffWords } from '../../../core/text/diff.ts';
import { pluralize } from '../../../core/text/pluralize.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { EXIT, Failure } from '../../failure.ts';
import { parseNumber } from '../../input/numbers.ts';
import { diffLines } from '../../output/diff.ts';
import { readAllPages, withCurrentThread, withoutHead } from '../../threads/reader.ts';
import { findContent, send, sendAndPrint } from '../../threads/send.ts';
import { attentionLines, draftLines, formatWriter, writerOf } from '../format.ts';

const DEFAULT_LIMIT = 20;
const PAGE = 1000;

interface DraftListOptions {
  readonly all?: boolean;
  readonly turn?: string;
}

export const declare: DeclareCommand = (command) => {
  command.examples(
    'mind drafts',
    'mind drafts 3 5',
    'mind drafts seen',
    'mind drafts diff 2 5',
    'mind drafts archive > drafts.jsonl',
  );
  command
    .command('list [n...]', { isDefault: true })
    .description('show drafts, newest first: those given, or the newest')
    .option('--all', `show all of them, not only the newest ${DEFAULT_LIMIT}`)
    .option('--turn <k>', 'drafts of a finished turn')
    .examples('mind drafts', 'mind drafts 3 5', 'mind drafts --turn 2 --all')
    .run(list);
  command
    .command('seen [n...]')
    .description('mark drafts as read: those given, or all')
    .examples('mind drafts seen', 'mind drafts seen 3 4')
    .run(markSeen);
  command
    .command('diff <a> <b>')
    .description('show what changed from one draft to another')
    .option('--turn <k>', 'drafts of a finished turn')
    .examples('mind drafts diff 2 5', 'mind drafts diff 1 2 --turn 3')
    .run((cli, a: string, b: string, { turn }: DraftListOptions) => printDiff(cli, a, b, turn));
  command
    .command('archive')
    .description('write the history of all drafts as JSON Lines: written, seen, accepted; lines never change')
    .examples('mind drafts archive > drafts.jsonl')
    .run(writeArchive);
};

async function list(cli: Cli, numbers: readonly string[], { all, turn }: DraftListOptions): Promise<void> {
  const { out } = cli;
  const indexes = numbers.map((text) => parseNumber(text, 'a draft'));
  const turnNumber = turn === undefined ? undefined : parseNumber(turn, 'a turn');
  const shownView = await withCurrentThread(cli, async ({ dialogue }) => {
    const view =
      indexes.length > 0
        ? await readDrafts(dialogue, turnNumber, indexes)
        : await readNewest(dialogue, turnNumber, all || out.json ? undefined : DEFAULT_LIMIT);
    if (out.json) out.value(withoutHead(view));
    else await show(cli, dialogue, view);
    return turn === undefined ? view : undefined;
  });
  // Drafts count as seen only if they were shown on a terminal, not in a file or a pipe (D15).
  const unseen = shownView?.drafts.filter((draft) => !draft.seen).map(({ index }) => index) ?? [];
  if (unseen.length === 0 || out.json || !process.stdout.isTTY) return;
  await send(cli, 'seen', { drafts: unseen, turn: shownView?.turn as number }).catch(() => {});
}

type DialogueClient = ThreadClient['dialogue'];

/** The newest drafts of a turn; without a limit, all of them. */
async function readNewest(dialogue: DialogueClient, turn: number | undefined, limit?: number): Promise<DraftPage> {
  const first = await readPage(dialogue, { turn, limit: limit ?? PAGE });
  if (limit !== undefined || first.turn === null) return first;
  const drafts = await readAllPages(
    async (before) =>
      (before === undefined ? first : await dialogue.drafts({ turn: first.turn as number, before })).drafts,
    ({ index }) => index,
  );
  return { ...first, drafts };
}

/** These drafts of a turn, all of which must exist. */
async function readDrafts(
  dialogue: DialogueClient,
  turn: number | undefined,
  indexes: readonly number[],
): Promise<DraftPage> {
  const view = await readPage(dialogue, { turn, only: indexes.join(',') });
  if (view.turn === null) throw nothingWaitsFailure();
  const missing = indexes.find((index) => !view.drafts.some((draft) => draft.index === index));
  if (missing !== undefined) throw unknownDraftFailure(view.turn, view.total, missing);
  return view;
}

async function readPage(dialogue: DialogueClient, query: Parameters<DialogueClient['drafts']>[0]): Promise<DraftPage> {
  try {
    return await dialogue.drafts(query);
  } catch (error) {
    if (!(error instanceof HeddleRefusal && error.code === 'unknown_turn')) throw error;
    const message = `There is no turn ${query?.turn}. "mind history" shows them.`;
    throw new Failure('unknown_turn', message, EXIT.refused);
  }
}

async function show({ out }: Cli, dialogue: DialogueClient, { turn, drafts, total }: DraftPage): Promise<void> {
  const { dim } = out.colors;
  if (turn === null) {
    out.note('No message is waiting, so there are no drafts. "mind history" shows what was accepted.');
    return;
  }
  const { turn: open, attention, self, iter } = await dialogue.status();
  if (turn === open?.turn) out.lines(attentionLines(attention, out, out.width));
  const newest = formatWriter(self, await writerOf(dialogue, drafts[0]?.iter ?? iter));
  out.line(dim(`Turn ${turn}: ${pluralize(total, 'draft')}${total > 1 ? ', the newest' : ''} by ${newest}`));
  const now = Date.now();
  for (const draft of drafts) {
    out.line();
    out.lines(draftLines(draft, out, out.width, now));
  }
  const oldest = drafts.at(-1)?.index ?? 1;
  if (drafts.length === DEFAULT_LIMIT && oldest > 1)
    out.note(dim(`\n… and ${oldest - 1} older ones: mind drafts --all`));
}

async function markSeen(cli: Cli, numbers: readonly string[]): Promise<void> {
  const drafts = numbers.map((text) => parseNumber(text, 'a draft'));
  await sendAndPrint(cli, 'seen', drafts.length > 0 ? { drafts } : {}, (result) => {
    const newlySeen = findContent(result, DraftsSeen)?.drafts ?? [];
    if (newlySeen.length === 0) return 'They were already marked as seen.';
    return `Seen: ${newlySeen.map((index) => `#${index}`).join(', ')}`;
  });
}

function printDiff(cli: Cli, a: string, b: string, turn: string | undefined): Promise<void> {
  const { out } = cli;
  return withCurrentThread(cli, async ({ dialogue }) => {
    const turnNumber = turn === undefined ? undefined : parseNumber(turn, 'a turn');
    const indexes = [parseNumber(a, 'a draft'), parseNumber(b, 'a draft')];
    const view = await readDrafts(dialogue, turnNumber, indexes);
    const [from, to] = indexes.map((index) => view.drafts.find((draft) => draft.index === index)) as [
      DraftItem,
      DraftItem,
    ];
    const difference = diffWords(from.text, to.text);
    if (out.json) return out.value({ turn: view.turn, from: from.index, to: to.index, difference });
    if (from.text === to.text) return out.line(`#${from.index} and #${to.index} say the same.`);
    out.line(out.colors.dim(`From #${from.index} to #${to.index}:`));
    out.lines(diffLines(difference, out, out.width));
  });
}

/** Writes lines for other programs, with or without --json (D8). */
function writeArchive(cli: Cli): Promise<void> {
  return withCurrentThread(cli, async ({ dialogue }) => {
    const decoder = new TextDecoder();
    for await (const chunk of (await dialogue.archive()).body ?? [])
      await cli.out.part(decoder.decode(chunk, { stream: true }));
  });
}

function unknownDraftFailure(turn: number, length: number, index: number): Failure {
  const rangePhrase = length === 0 ? 'it has none yet' : `it has #1 to #${length}`;
  return new Failure('unknown_draft', `Turn ${turn} has no draft #${index}; ${rangePhrase}.`, EXIT.refused, {
    draft: index,
  });
}

function nothingWaitsFailure(): Failure {
  return new Failure('idle', 'No message is waiting for an answer. Name a finished turn with --turn.', EXIT.refused);
}
