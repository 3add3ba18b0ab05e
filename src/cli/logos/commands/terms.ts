import type { TermsHistory, TermsVersionItem } from '../../../client/index.ts';
import { canonicalJson } from '../../../core/events/canonical.ts';
import type { Json } from '../../../core/events/event.ts';
import { DEFAULT_TERMS } from '../../../core/exchange/terms/defaults.ts';
import type { Terms } from '../../../core/exchange/terms/terms.ts';
import { TEXT_TERMS } from '../../../core/exchange/terms/terms-text.ts';
import { pluralize } from '../../../core/text/pluralize.ts';
import { getOwn } from '../../../core/util/get-own.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { EXIT, Failure, usageError } from '../../failure.ts';
import { parseNumber } from '../../input/numbers.ts';
import { formatSetting } from '../../input/pairs.ts';
import type { TerminalOutput } from '../../output/output.ts';
import { printTable } from '../../output/table.ts';
import { oneLine, sanitize } from '../../output/text.ts';
import { formatAgo } from '../../output/time.ts';
import { withCurrentThread, withoutHead } from '../../threads/reader.ts';
import { TEXT_NAMES } from '../input.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('[text]', `print one of the texts in full: ${Object.keys(TEXT_NAMES).join(', ')}`)
    .option('--of <version>', 'the text of an earlier version')
    .examples('logos terms', 'logos terms auditor', 'logos terms mind --of 1', 'logos terms --json')
    .footnote('Change them with "logos amend".')
    .run(terms);

function terms(cli: Cli, text: string | undefined, { of }: { of?: string }): Promise<void> {
  const { out } = cli;
  const name = text === undefined ? undefined : getOwn(TEXT_NAMES, text);
  if (text !== undefined && !name) throw usageError(`"${text}" is none of ${Object.keys(TEXT_NAMES).join(', ')}.`);
  return withCurrentThread(cli, async ({ exchange }) => {
    const view = await exchange.terms();
    const version = of === undefined ? view.now : findVersion(view, parseNumber(of, 'a version'));
    if (name) {
      const fullText = version.terms[name];
      return out.json
        ? out.value({
            version: version.version,
            ...(name !== 'question' && { hash: version.hashes[name] }),
            text: fullText,
          })
        : out.line(sanitize(fullText));
    }
    if (out.json) return out.value(of === undefined ? withoutHead(view) : version);
    show(out, version);
    if (of === undefined) for (const line of historyLines(view)) out.line(out.colors.dim(line));
  });
}

function findVersion({ versions }: TermsHistory, number: number): TermsVersionItem {
  const match = versions.find(({ version }) => version === number);
  if (match) return match;
  throw new Failure(
    'unknown_version',
    `There is no version ${number}; there are 1 to ${versions.length}.`,
    EXIT.refused,
  );
}

function show(out: TerminalOutput, { version, terms: all, hashes }: TermsVersionItem): void {
  const { dim, bold } = out.colors;
  out.line(bold(`Terms, version ${version}`));
  out.line(`${dim('question'.padEnd(13))}  ${oneLine(all.question)}`);
  const rows = Object.entries(all).map(([key, value]) => [
    key,
    formatTerm(key, value),
    isDefault(key, value) ? 'default' : '',
  ]);
  const texts = rows.filter(([key]) => key === 'question' || (TEXT_TERMS as readonly string[]).includes(key as string));
  const others = rows.filter((row) => !texts.includes(row));
  printTable(out, others, 1);
  for (const [word, name] of Object.entries(TEXT_NAMES)) {
    if (name === 'question') continue;
    out.line(
      `${dim(name.padEnd(13))}  ${pluralize(all[name].length, 'character')}, ${hashes[name].slice(0, 12)} ${dim(`logos terms ${word}`)}`,
    );
  }
}

function historyLines({ versions, announced, now }: TermsHistory): readonly string[] {
  if (versions.length < 2) return [];
  return versions.map(({ version, changed, effective, by, ts, reason }) => {
    const mark = version === now.version ? '→' : announced.includes(version) || version > now.version ? '…' : ' ';
    const changes = version === 1 ? 'original' : changed.join(', ');
    return `${mark} ${version}  from round ${effective}: ${changes}, by ${oneLine(by)} ${formatAgo(ts, Date.now())}${reason === undefined ? '' : `: ${oneLine(reason)}`}`;
  });
}

function formatTerm(key: string, value: unknown): string {
  if (key === 'minds')
    return (value as Terms['minds']).map(({ id, model }) => `${id} (${model ?? 'default model'})`).join(', ');
  return formatSetting(value);
}

function isDefault(key: string, value: unknown): boolean {
  return canonicalJson(value as Json) === canonicalJson(DEFAULT_TERMS[key as keyof Terms] as Json);
}
