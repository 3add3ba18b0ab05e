import type { AcceptedPair } from '../../../client/index.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { parseDigits } from '../../input/numbers.ts';
import { diffLines } from '../../output/diff.ts';
import type { TerminalOutput } from '../../output/output.ts';
import { oneLine, sanitize, wrap } from '../../output/text.ts';
import { formatAgo } from '../../output/time.ts';
import { readAllPages, withCurrentThread } from '../../threads/reader.ts';
import { sendAndPrint } from '../../threads/send.ts';
import { formatWriter } from '../format.ts';

const PAGE = 1000;

export const declare: DeclareCommand = (command) => {
  command.examples('mind history', 'mind history prune 3', 'mind history prune 0');
  command
    .command('list', { isDefault: true })
    .description('show messages and accepted answers, newest first')
    .run(list);
  command
    .command('prune <turn>')
    .description('hide turns up to this one from the mind; 0 shows all of them again')
    .examples('mind history prune 3', 'mind history prune 0')
    .run(prune);
};

function list(cli: Cli): Promise<void> {
  const { out } = cli;
  return withCurrentThread(cli, async ({ dialogue }) => {
    const turns = await readAllPages(
      async (before) => (await dialogue.history({ before, limit: PAGE })).turns,
      ({ turn }) => turn,
    );
    if (out.json) return out.value({ turns });
    if (turns.length === 0) return out.note('No draft was accepted yet.');
    const { self } = await dialogue.status();
    for (const [i, turn] of turns.entries()) {
      if (i > 0) out.line();
      printTurn(out, turn, formatWriter(self, turn));
    }
  });
}

function printTurn(out: TerminalOutput, turn: AcceptedPair, author: string): void {
  const { dim, bold } = out.colors;
  const { message, reply, accepted_draft_index, by, ts, difference, auto, pruned } = turn;
  const details = [
    `draft #${accepted_draft_index}`,
    auto
      ? `auto-accepted after ${auto.after} quiet iterations, as set by ${oneLine(auto.set_by)}`
      : `accepted by ${oneLine(by)}`,
    formatAgo(ts, Date.now()),
    ...(pruned ? ['hidden from the mind'] : []),
  ];
  out.line(`${bold(`Turn ${turn.turn}`)} ${dim(`· ${details.join(' · ')}`)}`);
  for (const line of wrap(sanitize(message), out.width - 2)) out.line(dim(`> ${line}`));
  out.line(`${author}:`);
  const lines = difference ? diffLines(difference, out, out.width - 4) : wrap(sanitize(reply), out.width - 4);
  for (const line of lines) out.line(line === '' ? '' : `    ${line}`);
}

async function prune(cli: Cli, text: string): Promise<void> {
  const turn = parseDigits(text, `"${text}" is not the number of a turn, or 0.`);
  const sentence = turn === 0 ? 'The mind sees all of them again.' : `The mind no longer sees the turns up to ${turn}.`;
  await sendAndPrint(cli, 'history_prune', { turn }, sentence);
}
