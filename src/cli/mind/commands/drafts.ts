import { type Turn, turnOf } from '../../../core/dialogue/state.ts';
import type { DraftsView } from '../../../core/dialogue/view/view.ts';
import { diffWords } from '../../../core/text/diff.ts';
import { archiveText } from '../../../formats/export/dialogue-archive.ts';
import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { EXIT, Failure } from '../../failure.ts';
import { diffLines } from '../../output/diff.ts';
import { counted, numberIn } from '../../output/numbers.ts';
import { answer, contentIn, send } from '../../threads/send.ts';
import { attentionLines, draftLines, writer } from '../format.ts';
import { type Reading, withDialogue } from '../reader.ts';
import { type Views, withDialogueViews } from '../views.ts';

const FIRST = 20;

interface ListOptions {
  readonly all?: boolean;
  readonly turn?: string;
}

export const declare: Declare = (command, start) => {
  command
    .helpCommand(false)
    .addHelpText(
      'after',
      examples(
        'mind drafts',
        'mind drafts 3 5',
        'mind drafts seen',
        'mind drafts diff 2 5',
        'mind drafts archive > drafts.jsonl',
      ),
    );
  command
    .command('list [n...]', { isDefault: true })
    .description('show drafts, the newest first: these, or the newest of all')
    .option('--all', `show all of them, not only the newest ${FIRST}`)
    .option('--turn <k>', 'of a turn that is over')
    .addHelpText('after', examples('mind drafts', 'mind drafts 3 5', 'mind drafts --turn 2 --all'))
    .action((numbers: string[], options: ListOptions) => list(start(), numbers, options));
  command
    .command('seen [n...]')
    .description('note that you have read them: these, or all there are')
    .addHelpText('after', examples('mind drafts seen', 'mind drafts seen 3 4'))
    .action((numbers: string[]) => seen(start(), numbers));
  command
    .command('diff <a> <b>')
    .description('show what changed from one draft to another')
    .option('--turn <k>', 'of a turn that is over')
    .addHelpText('after', examples('mind drafts diff 2 5', 'mind drafts diff 1 2 --turn 3'))
    .action((a: string, b: string, { turn }: ListOptions) => diff(start(), a, b, turn));
  command
    .command('archive')
    .description('write what happened to all drafts as JSON Lines: written, seen, accepted; lines never change')
    .addHelpText('after', examples('mind drafts archive > drafts.jsonl'))
    .action(() => writeArchive(start()));
};

async function list(cli: Cli, numbers: readonly string[], { all, turn }: ListOptions): Promise<void> {
  const { out } = cli;
  const only = numbers.map((text) => numberIn(text, 'a draft'));
  const asked = turn === undefined ? undefined : numberIn(turn, 'a turn');
  const shown = await withDialogueViews(cli, async (views) => {
    const limit = all || out.json ? undefined : FIRST;
    const view = await views.drafts({ turn: asked, ...(only.length > 0 ? { only } : { limit }) });
    if (view === 'unknown_turn') throw unknownTurn(asked as number);
    if (view.turn === null && only.length > 0) throw nothingWaits();
    const missing = only.find((index) => !view.drafts.some((draft) => draft.index === index));
    if (missing !== undefined) throw unknownDraft(view.turn as number, view.total, missing);
    if (out.json) out.value(view);
    else await show(cli, views, view);
    return turn === undefined ? view : undefined;
  });
  // A view that really showed them to someone (D15); what goes into a file or a pipe was shown to nobody yet.
  const fresh = shown?.drafts.filter((draft) => !draft.seen).map(({ index }) => index) ?? [];
  if (fresh.length === 0 || out.json || !process.stdout.isTTY) return;
  await send(cli, 'seen', { drafts: fresh, turn: shown?.turn as number }).catch(() => {});
}

async function show({ out }: Cli, views: Views, { turn, drafts, total }: DraftsView): Promise<void> {
  const { dim } = out.colors;
  if (turn === null) {
    out.note('No message is waiting, so there are no drafts. "mind history" shows what was accepted.');
    return;
  }
  const { turn: open, attention, self, iter } = await views.status();
  if (turn === open?.turn) for (const line of attentionLines(attention, out, out.width)) out.line(line);
  const newest = writer(self, await views.writer(drafts[0]?.iter ?? iter));
  out.line(dim(`Turn ${turn}: ${counted(total, 'draft')}${total > 1 ? ', the newest' : ''} by ${newest}`));
  const now = Date.now();
  for (const draft of drafts) {
    out.line();
    for (const line of draftLines(draft, out, out.width, now)) out.line(line);
  }
  const oldest = drafts.at(-1)?.index ?? 1;
  if (drafts.length === FIRST && oldest > 1) out.note(dim(`\n… and ${oldest - 1} older ones: mind drafts --all`));
}

async function seen(cli: Cli, numbers: readonly string[]): Promise<void> {
  const drafts = numbers.map((text) => numberIn(text, 'a draft'));
  const done = await send(cli, 'seen', drafts.length > 0 ? { drafts } : {});
  const fresh: readonly number[] = contentIn(done)?.drafts ?? [];
  answer(
    cli,
    done,
    fresh.length === 0 ? 'You had seen them already.' : `Seen: ${fresh.map((index) => `#${index}`).join(', ')}`,
  );
}

function diff(cli: Cli, a: string, b: string, turn: string | undefined): Promise<void> {
  const { out } = cli;
  return withDialogue(cli, (reading) => {
    const of = turnMeant(reading, turn);
    if (!of) throw nothingWaits();
    const [from, to] = [draftIn(of, numberIn(a, 'a draft')), draftIn(of, numberIn(b, 'a draft'))];
    const difference = diffWords(from.text, to.text);
    if (out.json) return out.value({ turn: of.turn, from: from.index, to: to.index, difference });
    if (from.text === to.text) return out.line(`#${from.index} and #${to.index} say the same.`);
    out.line(out.colors.dim(`From #${from.index} to #${to.index}:`));
    for (const line of diffLines(difference, out, out.width)) out.line(line);
  });
}

/** Lines that other programs read, with --json or without (D8). */
function writeArchive(cli: Cli): Promise<void> {
  return withDialogue(cli, async ({ id }, log) => {
    for await (const lines of archiveText(log, id)) await cli.out.part(lines);
  });
}

function turnMeant({ dialogue }: Reading, text: string | undefined): Turn | undefined {
  if (text === undefined) return dialogue.open;
  const number = numberIn(text, 'a turn');
  const turn = turnOf(dialogue, number);
  if (!turn) throw unknownTurn(number);
  return turn;
}

function unknownTurn(number: number): Failure {
  return new Failure('unknown_turn', `There is no turn ${number}. "mind history" shows them.`, EXIT.refused);
}

function draftIn({ turn, drafts }: Turn, index: number) {
  const draft = drafts.get(index);
  if (draft) return draft;
  throw unknownDraft(turn, drafts.length, index);
}

function unknownDraft(turn: number, length: number, index: number): Failure {
  const there = length === 0 ? 'it has none yet' : `it has #1 to #${length}`;
  return new Failure('unknown_draft', `Turn ${turn} has no draft #${index}; ${there}.`, EXIT.refused, { draft: index });
}

function nothingWaits(): Failure {
  return new Failure(
    'idle',
    'No message is waiting for an answer. Name a turn that is over with --turn.',
    EXIT.refused,
  );
}
