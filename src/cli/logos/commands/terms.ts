import { canonical } from '../../../core/events/canonical.ts';
import type { Json } from '../../../core/events/event.ts';
import { DEFAULTS } from '../../../core/exchange/terms/defaults.ts';
import { TEXTS, type Terms } from '../../../core/exchange/terms/terms.ts';
import { termsView } from '../../../core/exchange/view/view.ts';
import { own } from '../../../core/util/get-own.ts';
import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { EXIT, Failure, usage } from '../../failure.ts';
import { settingWords } from '../../input/pairs.ts';
import { counted, numberIn } from '../../output/numbers.ts';
import type { Output } from '../../output/output.ts';
import { table } from '../../output/table.ts';
import { oneLine, visible } from '../../output/text.ts';
import { ago } from '../../output/time.ts';
import { TEXT_NAMES } from '../input.ts';
import { withExchange } from '../reader.ts';

type View = ReturnType<typeof termsView>;
type Version = View['now'];

export const declare: Declare = (command, start) =>
  command
    .argument('[text]', `one of the texts, whole: ${Object.keys(TEXT_NAMES).join(', ')}`)
    .option('--of <version>', 'as an earlier version said')
    .addHelpText(
      'after',
      examples('logos terms', 'logos terms auditor', 'logos terms mind --of 1', 'logos terms --json'),
    )
    .addHelpText('after', '\nChange them with "logos amend".')
    .action((text: string | undefined, { of }: { of?: string }) => terms(start(), text, of));

function terms(cli: Cli, text: string | undefined, of: string | undefined): Promise<void> {
  const { out } = cli;
  const name = text === undefined ? undefined : own(TEXT_NAMES, text);
  if (text !== undefined && !name) throw usage(`"${text}" is none of ${Object.keys(TEXT_NAMES).join(', ')}.`);
  return withExchange(cli, ({ exchange }) => {
    const view = termsView(exchange);
    const version = of === undefined ? view.now : versionIn(view, numberIn(of, 'a version'));
    if (name) {
      const whole = version.terms[name];
      return out.json
        ? out.value({
            version: version.version,
            ...(name !== 'question' && { hash: version.hashes[name] }),
            text: whole,
          })
        : out.line(visible(whole));
    }
    if (out.json) return out.value(of === undefined ? view : version);
    show(out, version);
    if (of === undefined) for (const line of historyLines(view)) out.line(out.colors.dim(line));
  });
}

function versionIn({ versions }: View, number: number): Version {
  const found = versions.find(({ version }) => version === number);
  if (found) return found;
  throw new Failure(
    'unknown_version',
    `There is no version ${number}; there are 1 to ${versions.length}.`,
    EXIT.refused,
  );
}

function show(out: Output, { version, terms: all, hashes }: Version): void {
  const { dim, bold } = out.colors;
  out.line(bold(`Terms, version ${version}`));
  out.line(`${dim('question'.padEnd(13))}  ${oneLine(all.question)}`);
  const rows = Object.entries(all).map(([key, value]) => [
    key,
    words(key, value),
    isUsual(key, value) ? 'default' : '',
  ]);
  const texts = rows.filter(([key]) => key === 'question' || (TEXTS as readonly string[]).includes(key as string));
  const others = rows.filter((row) => !texts.includes(row));
  for (const line of table(others, out.width, (cell, column) => (column === 1 ? cell : dim(cell)))) out.line(line);
  for (const [word, name] of Object.entries(TEXT_NAMES)) {
    if (name === 'question') continue;
    out.line(
      `${dim(name.padEnd(13))}  ${counted(all[name].length, 'character')}, ${hashes[name].slice(0, 12)} ${dim(`logos terms ${word}`)}`,
    );
  }
}

function historyLines({ versions, announced, now }: View): readonly string[] {
  if (versions.length < 2) return [];
  return versions.map(({ version, changed, effective, by, ts, reason }) => {
    const mark = version === now.version ? '→' : announced.includes(version) || version > now.version ? '…' : ' ';
    const what = version === 1 ? 'as it began' : changed.join(', ');
    return `${mark} ${version}  from round ${effective}: ${what}, by ${oneLine(by)} ${ago(ts, Date.now())}${reason === undefined ? '' : `: ${oneLine(reason)}`}`;
  });
}

function words(key: string, value: unknown): string {
  if (key === 'minds')
    return (value as Terms['minds']).map(({ id, model }) => `${id} (${model ?? 'default model'})`).join(', ');
  return settingWords(value);
}

function isUsual(key: string, value: unknown): boolean {
  return canonical(value as Json) === canonical(DEFAULTS[key as keyof Terms] as Json);
}
