import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { usageError } from '../../failure.ts';
import { parseIds } from '../../input/ids.ts';
import { parseNumber } from '../../input/numbers.ts';
import type { TerminalOutput } from '../../output/output.ts';
import { oneLine } from '../../output/text.ts';
import { formatClock } from '../../output/time.ts';
import { openThreadReader, withCurrentThread } from '../../threads/reader.ts';
import { type ExchangeLogEntry, type ExchangeLogType, LOG_TYPES, logEntriesOf } from '../entries.ts';
import { entryLines, textLines } from '../format.ts';

const DEFAULT_LIMIT = 30;

interface LogosLogOptions {
  readonly types?: string;
  readonly last?: string;
  readonly all?: boolean;
}

export const declare: DeclareCommand = (command) =>
  command
    .option('--types <list>', `only these, with commas: ${LOG_TYPES.join(', ')}`)
    .option('--last <n>', `only the last N (default: ${DEFAULT_LIMIT}; with --json all)`)
    .option('--all', 'all of them')
    .examples('logos log', 'logos log --types audit,observer --all', 'logos log --types thought --last 5 --json')
    .run(show);

function show(cli: Cli, { types, last, all }: LogosLogOptions): Promise<void> {
  const { out } = cli;
  const selectedTypes = types === undefined ? LOG_TYPES : parseTypes(types);
  const limit = last !== undefined ? parseNumber(last, 'entries') : all || out.json ? undefined : DEFAULT_LIMIT;
  return withCurrentThread(cli, async (thread) => {
    const { state: exchange } = await openThreadReader(thread, 'exchange');
    const allEntries = logEntriesOf(exchange, selectedTypes);
    const entries = limit === undefined ? allEntries : allEntries.slice(-limit);
    if (out.json) return out.value({ entries });
    if (entries.length === 0) return out.note('There are no entries yet. Let the minds think: logos run 5');
    if (entries.length < allEntries.length)
      out.note(out.colors.dim(`… ${allEntries.length - entries.length} earlier: logos log --all`));
    const lastRoles = new Map<string, string>();
    for (const entry of entries) {
      // Every audit repeats its role. Print the same role only once.
      const isRepeated = entry.type.endsWith('_role') && lastRoles.get(entry.type) === entry.text;
      lastRoles.set(entry.type, entry.text);
      out.lines(logEntryLines(isRepeated ? { ...entry, text: 'as before' } : entry, out));
    }
  });
}

function logEntryLines(entry: ExchangeLogEntry, out: TerminalOutput): readonly string[] {
  if (entry.type !== 'thought') return entryLines(entry, out, out.width);
  const { ts, round, author, id, text, vetoed } = entry;
  const vetoNote = vetoed ? `  hidden: ${oneLine(vetoed.reason)}` : '';
  return textLines(`${formatClock(ts)}  round ${round}  ${oneLine(author)}  #${id}${vetoNote}`, text, out, out.width);
}

function parseTypes(text: string): readonly ExchangeLogType[] {
  return parseIds(text).map((word) => {
    const type = LOG_TYPES.find((each) => each === word);
    if (!type) throw usageError(`"${word}" is none of ${LOG_TYPES.join(', ')}.`);
    return type;
  });
}
