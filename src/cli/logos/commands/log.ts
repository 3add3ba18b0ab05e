import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { usage } from '../../failure.ts';
import { idsIn } from '../../input/ids.ts';
import { numberIn } from '../../output/numbers.ts';
import type { Output } from '../../output/output.ts';
import { oneLine } from '../../output/text.ts';
import { clock } from '../../output/time.ts';
import { type LogType, logOf, type Said, TYPES } from '../entries.ts';
import { entryLines, saidLines } from '../format.ts';
import { withExchange } from '../reader.ts';

const LAST = 30;

interface Options {
  readonly types?: string;
  readonly last?: string;
  readonly all?: boolean;
}

export const declare: Declare = (command, start) =>
  command
    .option('--types <list>', `only these, with commas: ${TYPES.join(', ')}`)
    .option('--last <n>', `only the last so many (default: ${LAST}; with --json all)`)
    .option('--all', 'all of them')
    .addHelpText(
      'after',
      examples('logos log', 'logos log --types audit,observer --all', 'logos log --types thought --last 5 --json'),
    )
    .action((options: Options) => show(start(), options));

function show(cli: Cli, { types, last, all }: Options): Promise<void> {
  const { out } = cli;
  const wanted = types === undefined ? TYPES : typesIn(types);
  const limit = last !== undefined ? numberIn(last, 'entries') : all || out.json ? undefined : LAST;
  return withExchange(cli, ({ exchange }) => {
    const every = logOf(exchange, wanted);
    const entries = limit === undefined ? every : every.slice(-limit);
    if (out.json) return out.value({ entries });
    if (entries.length === 0) return out.note('There is nothing of it yet. Let the minds think: logos run 5');
    if (entries.length < every.length)
      out.note(out.colors.dim(`… ${every.length - entries.length} before: logos log --all`));
    const roles = new Map<string, string>();
    for (const entry of entries) {
      // The same role stands beside every audit; once is enough for a reader.
      const known = entry.type.endsWith('_role') && roles.get(entry.type) === entry.text;
      roles.set(entry.type, entry.text);
      for (const line of linesOf(known ? { ...entry, text: 'as before' } : entry, out)) out.line(line);
    }
  });
}

function linesOf(entry: Said, out: Output): readonly string[] {
  if (entry.type !== 'thought') return entryLines(entry, out, out.width);
  const { ts, round, author, id, text, vetoed } = entry;
  const hidden = vetoed ? `  hidden: ${oneLine(vetoed.reason)}` : '';
  return saidLines(`${clock(ts)}  round ${round}  ${oneLine(author)}  #${id}${hidden}`, text, out, out.width);
}

function typesIn(text: string): readonly LogType[] {
  return idsIn(text).map((word) => {
    const type = TYPES.find((each) => each === word);
    if (!type) throw usage(`"${word}" is none of ${TYPES.join(', ')}.`);
    return type;
  });
}
