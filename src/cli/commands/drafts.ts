import type { WireThreadState } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { readContent } from '../input/content.ts';
import { parseNumber } from '../input/numbers.ts';
import { THREAD_HELP } from '../input/thread-help.ts';
import type { TerminalOutput } from '../output/output.ts';
import { oneLine, sanitize, wrap } from '../output/text.ts';
import { formatAgo } from '../output/time.ts';
import { withThread } from '../threads/find.ts';

export const declare: DeclareCommand = (command) => {
  command
    .examples(
      'heddle drafts Garden',
      'heddle drafts post Garden 2',
      'heddle drafts edit Garden 2 "Beans first, then peas."',
      'heddle drafts dismiss Garden 2',
    )
    .footnote('An agent drafts after "heddle invite THREAD ID --posting draft".');
  command
    .command('list <thread>', { isDefault: true })
    .description('list the drafts waiting in a thread')
    .examples('heddle drafts list Garden', 'heddle drafts Garden --json')
    .run(list);
  command
    .command('post <thread> <number>')
    .description('post a draft unchanged, in its author’s name')
    .examples('heddle drafts post Garden 2')
    .run((cli, name: string, number: string) => settle(cli, name, number, 'draft_accept'));
  command
    .command('edit <thread> <number> [text...]')
    .description('post your own version of a draft; both texts are kept')
    .option('-f, --file <file>', 'read the text from this file')
    .examples('heddle drafts edit Garden 2 "Beans first, then peas."', 'heddle drafts edit Garden 2 -f draft.md')
    .run(async (cli, name: string, number: string, words: string[], options: { file?: string }) =>
      settle(cli, name, number, 'draft_accept', await readContent(words, options.file)),
    );
  command
    .command('dismiss <thread> <number>')
    .description('dismiss a draft; it stays in the log')
    .examples('heddle drafts dismiss Garden 2')
    .run((cli, name: string, number: string) => settle(cli, name, number, 'draft_discard'));
  for (const {
    registeredArguments: [thread],
  } of command.commands)
    if (thread) thread.description = THREAD_HELP;
};

async function list(cli: Cli, name: string): Promise<void> {
  const { out } = cli;
  const { state } = await withThread(cli, name, (thread) => thread.state());
  if (out.json) return out.value({ thread: state.id, drafts: state.drafts });
  if (state.drafts.length === 0) return out.line('No drafts are waiting in this thread.');
  for (const draft of state.drafts) show(out, draft, Date.now());
  if (state.drafts_left_out) out.note(`${state.drafts_left_out} older drafts are not shown.`);
}

function show(out: TerminalOutput, draft: WireThreadState['drafts'][number], now: number): void {
  const { index, participant, text, ts, held } = draft;
  const reason = held === undefined ? '' : `: ${oneLine(held)}`;
  out.line(
    `${out.colors.bold(String(index))} ${oneLine(participant)} ${out.colors.dim(`· ${formatAgo(ts, now)}${reason}`)}`,
  );
  for (const row of wrap(sanitize(text), out.width - 2)) out.line(row === '' ? '' : `  ${row}`);
}

async function settle(
  cli: Cli,
  name: string,
  number: string,
  command: 'draft_accept' | 'draft_discard',
  text?: string,
): Promise<void> {
  const { out } = cli;
  const index = parseNumber(number, 'a draft');
  const { events } = await withThread(cli, name, (thread) =>
    command === 'draft_discard' ? thread.command(command, { index }) : thread.command(command, { index, text }),
  );
  const message = events.find(({ type }) => type === 'message' || type === 'result');
  out.answer(
    { events },
    message ? `Posted draft ${index} of ${oneLine(message.from)} as #${message.seq}.` : `Dismissed draft ${index}.`,
  );
}
