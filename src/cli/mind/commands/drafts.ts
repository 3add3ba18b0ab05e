import { attentionOf } from '../../../core/dialogue/attention.ts';
import { type Turn, turnOf } from '../../../core/dialogue/state.ts';
import { archive, type DraftsView, draftsView } from '../../../core/dialogue/view.ts';
import { diffWords } from '../../../core/text-diff.ts';
import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../declare.ts';
import { diffLines } from '../../diff-lines.ts';
import { EXIT, Failure } from '../../failure.ts';
import { counted, numberIn } from '../../numbers.ts';
import { answer, contentIn, send } from '../../sending.ts';
import { attentionLines, draftLines, writtenBy } from '../present.ts';
import { type Reading, withDialogue } from '../reading.ts';

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
    .description('write every draft of every turn as JSON Lines, the oldest first')
    .addHelpText('after', examples('mind drafts archive > drafts.jsonl'))
    .action(() => writeArchive(start()));
};

async function list(cli: Cli, numbers: readonly string[], { all, turn }: ListOptions): Promise<void> {
  const { out } = cli;
  const only = numbers.map((text) => numberIn(text, 'a draft'));
  const shown = await withDialogue(cli, (reading) => {
    const of = turnMeant(reading, turn);
    for (const index of only) if (of) draftIn(of, index);
    if (!of && only.length > 0) throw nothingWaits();
    const limit = all || out.json ? undefined : FIRST;
    const view = draftsView(reading.dialogue, of, only.length > 0 ? { only } : { limit });
    if (out.json) out.value(view);
    else show(cli, reading, view);
    return turn === undefined ? view : undefined;
  });
  // A view that really showed them to someone (D15); what goes into a file or a pipe was shown to nobody yet.
  const fresh = shown?.drafts.filter((draft) => !draft.seen).map(({ index }) => index) ?? [];
  if (fresh.length === 0 || out.json || !process.stdout.isTTY) return;
  await send(cli, 'seen', { drafts: fresh, turn: shown?.turn as number }).catch(() => {});
}

function show({ out }: Cli, { dialogue }: Reading, { turn, drafts, total }: DraftsView): void {
  const { dim } = out.colors;
  if (turn === null) {
    out.note('No message is waiting, so there are no drafts. "mind history" shows what was accepted.');
    return;
  }
  if (turn === dialogue.open?.turn)
    for (const line of attentionLines(attentionOf(dialogue), out, out.width)) out.line(line);
  out.line(dim(`Turn ${turn}: ${counted(total, 'draft')} by ${writtenBy(dialogue)}`));
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
  return withDialogue(cli, async ({ dialogue }) => {
    for (const line of archive(dialogue)) await cli.out.part(`${JSON.stringify(line)}\n`);
  });
}

function turnMeant({ dialogue }: Reading, text: string | undefined): Turn | undefined {
  if (text === undefined) return dialogue.open;
  const number = numberIn(text, 'a turn');
  const turn = turnOf(dialogue, number);
  if (!turn) throw new Failure('unknown_turn', `There is no turn ${number}. "mind history" shows them.`, EXIT.refused);
  return turn;
}

function draftIn({ turn, drafts }: Turn, index: number) {
  const draft = drafts.get(index);
  if (draft) return draft;
  const there = drafts.length === 0 ? 'it has none yet' : `it has #1 to #${drafts.length}`;
  throw new Failure('unknown_draft', `Turn ${turn} has no draft #${index}; ${there}.`, EXIT.refused, { draft: index });
}

function nothingWaits(): Failure {
  return new Failure(
    'idle',
    'No message is waiting for an answer. Name a turn that is over with --turn.',
    EXIT.refused,
  );
}
