import { DraftsSeen } from '../../../core/dialogue/events.ts';
import { type Turn, turnOf } from '../../../core/dialogue/state.ts';
import type { DialogueDraftsView } from '../../../core/dialogue/view/view.ts';
import { diffWords } from '../../../core/text/diff.ts';
import { pluralize } from '../../../core/text/pluralize.ts';
import { readArchive } from '../../../formats/export/dialogue-archive.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { EXIT, Failure } from '../../failure.ts';
import { parseNumber } from '../../input/numbers.ts';
import { diffLines } from '../../output/diff.ts';
import { findContent, printResult, send } from '../../threads/send.ts';
import { attentionLines, draftLines, formatWriter } from '../format.ts';
import { type DialogueReader, withDialogue } from '../reader.ts';
import { type DialogueViews, withDialogueViews } from '../views.ts';

const DEFAULT_LIMIT = 20;

interface DraftListOptions {
  readonly all?: boolean;
  readonly turn?: string;
}

export const declare: DeclareCommand = (command, getCli) => {
  command.examples(
    'mind drafts',
    'mind drafts 3 5',
    'mind drafts seen',
    'mind drafts diff 2 5',
    'mind drafts archive > drafts.jsonl',
  );
  command
    .command('list [n...]', { isDefault: true })
    .description('show drafts, the newest first: these, or the newest of all')
    .option('--all', `show all of them, not only the newest ${DEFAULT_LIMIT}`)
    .option('--turn <k>', 'of a turn that is over')
    .examples('mind drafts', 'mind drafts 3 5', 'mind drafts --turn 2 --all')
    .action((numbers: string[], options: DraftListOptions) => list(getCli(), numbers, options));
  command
    .command('seen [n...]')
    .description('note that you have read them: these, or all there are')
    .examples('mind drafts seen', 'mind drafts seen 3 4')
    .action((numbers: string[]) => markSeen(getCli(), numbers));
  command
    .command('diff <a> <b>')
    .description('show what changed from one draft to another')
    .option('--turn <k>', 'of a turn that is over')
    .examples('mind drafts diff 2 5', 'mind drafts diff 1 2 --turn 3')
    .action((a: string, b: string, { turn }: DraftListOptions) => printDiff(getCli(), a, b, turn));
  command
    .command('archive')
    .description('write what happened to all drafts as JSON Lines: written, seen, accepted; lines never change')
    .examples('mind drafts archive > drafts.jsonl')
    .action(() => writeArchive(getCli()));
};

async function list(cli: Cli, numbers: readonly string[], { all, turn }: DraftListOptions): Promise<void> {
  const { out } = cli;
  const indexes = numbers.map((text) => parseNumber(text, 'a draft'));
  const turnNumber = turn === undefined ? undefined : parseNumber(turn, 'a turn');
  const shownView = await withDialogueViews(cli, async (views) => {
    const limit = all || out.json ? undefined : DEFAULT_LIMIT;
    const view = await views.drafts({ turn: turnNumber, ...(indexes.length > 0 ? { only: indexes } : { limit }) });
    if (view === 'unknown_turn') throw unknownTurnFailure(turnNumber as number);
    if (view.turn === null && indexes.length > 0) throw nothingWaitsFailure();
    const missing = indexes.find((index) => !view.drafts.some((draft) => draft.index === index));
    if (missing !== undefined) throw unknownDraftFailure(view.turn as number, view.total, missing);
    if (out.json) out.value(view);
    else await show(cli, views, view);
    return turn === undefined ? view : undefined;
  });
  // Drafts count as seen only if they were shown on a terminal, not in a file or a pipe (D15).
  const unseen = shownView?.drafts.filter((draft) => !draft.seen).map(({ index }) => index) ?? [];
  if (unseen.length === 0 || out.json || !process.stdout.isTTY) return;
  await send(cli, 'seen', { drafts: unseen, turn: shownView?.turn as number }).catch(() => {});
}

async function show({ out }: Cli, views: DialogueViews, { turn, drafts, total }: DialogueDraftsView): Promise<void> {
  const { dim } = out.colors;
  if (turn === null) {
    out.note('No message is waiting, so there are no drafts. "mind history" shows what was accepted.');
    return;
  }
  const { turn: open, attention, self, iter } = await views.status();
  if (turn === open?.turn) for (const line of attentionLines(attention, out, out.width)) out.line(line);
  const newest = formatWriter(self, await views.writer(drafts[0]?.iter ?? iter));
  out.line(dim(`Turn ${turn}: ${pluralize(total, 'draft')}${total > 1 ? ', the newest' : ''} by ${newest}`));
  const now = Date.now();
  for (const draft of drafts) {
    out.line();
    for (const line of draftLines(draft, out, out.width, now)) out.line(line);
  }
  const oldest = drafts.at(-1)?.index ?? 1;
  if (drafts.length === DEFAULT_LIMIT && oldest > 1)
    out.note(dim(`\n… and ${oldest - 1} older ones: mind drafts --all`));
}

async function markSeen(cli: Cli, numbers: readonly string[]): Promise<void> {
  const drafts = numbers.map((text) => parseNumber(text, 'a draft'));
  const result = await send(cli, 'seen', drafts.length > 0 ? { drafts } : {});
  const newlySeen = findContent(result, DraftsSeen)?.drafts ?? [];
  printResult(
    cli,
    result,
    newlySeen.length === 0 ? 'You had seen them already.' : `Seen: ${newlySeen.map((index) => `#${index}`).join(', ')}`,
  );
}

function printDiff(cli: Cli, a: string, b: string, turn: string | undefined): Promise<void> {
  const { out } = cli;
  return withDialogue(cli, (reader) => {
    const target = findTurn(reader, turn);
    if (!target) throw nothingWaitsFailure();
    const [from, to] = [findDraft(target, parseNumber(a, 'a draft')), findDraft(target, parseNumber(b, 'a draft'))];
    const difference = diffWords(from.text, to.text);
    if (out.json) return out.value({ turn: target.turn, from: from.index, to: to.index, difference });
    if (from.text === to.text) return out.line(`#${from.index} and #${to.index} say the same.`);
    out.line(out.colors.dim(`From #${from.index} to #${to.index}:`));
    for (const line of diffLines(difference, out, out.width)) out.line(line);
  });
}

/** Writes lines for other programs, with or without --json (D8). */
function writeArchive(cli: Cli): Promise<void> {
  return withDialogue(cli, async ({ id }, log) => {
    for await (const lines of readArchive(log, id)) await cli.out.part(lines);
  });
}

function findTurn({ dialogue }: DialogueReader, text: string | undefined): Turn | undefined {
  if (text === undefined) return dialogue.open;
  const number = parseNumber(text, 'a turn');
  const turn = turnOf(dialogue, number);
  if (!turn) throw unknownTurnFailure(number);
  return turn;
}

function unknownTurnFailure(number: number): Failure {
  return new Failure('unknown_turn', `There is no turn ${number}. "mind history" shows them.`, EXIT.refused);
}

function findDraft({ turn, drafts }: Turn, index: number) {
  const draft = drafts.get(index);
  if (draft) return draft;
  throw unknownDraftFailure(turn, drafts.length, index);
}

function unknownDraftFailure(turn: number, length: number, index: number): Failure {
  const rangePhrase = length === 0 ? 'it has none yet' : `it has #1 to #${length}`;
  return new Failure('unknown_draft', `Turn ${turn} has no draft #${index}; ${rangePhrase}.`, EXIT.refused, {
    draft: index,
  });
}

function nothingWaitsFailure(): Failure {
  return new Failure(
    'idle',
    'No message is waiting for an answer. Name a turn that is over with --turn.',
    EXIT.refused,
  );
}
