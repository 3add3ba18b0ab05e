import type { Dialogue } from '../../core/dialogue/state.ts';
import type { Attention } from '../../core/dialogue/view/attention.ts';
import type { DraftView, IterationView, RunView } from '../../core/dialogue/view/view.ts';
import { asStarted } from '../output/hints.ts';
import { counted } from '../output/numbers.ts';
import type { Output } from '../output/output.ts';
import { oneLine, shorten, visible, wrap } from '../output/text.ts';
import { ago } from '../output/time.ts';

type Colours = Output['colors'];

const LEVELS: Record<Exclude<Attention['level'], 'thinking'>, string> = {
  idle: 'idle',
  publishable: 'publishable',
  needs_you: 'needs you',
};

/** What the mind wants of the person, and why (D14). */
export function attentionLines({ level, reason }: Attention, { colors }: { colors: Colours }, width: number): string[] {
  // Whether it thinks or has stopped thinking, the sentence says itself.
  if (level === 'thinking') return wrap(visible(oneLine(asStarted(reason))), width);
  const word = LEVELS[level];
  const [first = '', ...rest] = wrap(`${word}: ${visible(oneLine(asStarted(reason)))}`, width);
  return [badge(level, word, colors) + first.slice(word.length), ...rest];
}

function badge(level: Attention['level'], word: string, colors: Colours): string {
  if (level === 'needs_you') return colors.bold(colors.yellow(word));
  if (level === 'publishable') return colors.bold(colors.green(word));
  return colors.dim(word);
}

/** A draft for people: what there is to know of it, then its text; a signal is one line. */
export function draftLines(draft: DraftView, { colors }: { colors: Colours }, width: number, now: number): string[] {
  const { index, iter, text, signal, ts } = draft;
  const facts = [`iteration ${iter}`, ...(signal ? [] : [lengthOf(draft)]), ago(ts, now)].join(' · ');
  const head = [colors.bold(`#${index}`), signalBadge(draft, colors), ...marks(draft, colors), colors.dim(facts)];
  const first = head.filter(Boolean).join('  ');
  return signal
    ? [first]
    : [first, ...wrap(visible(text), width - 4).map((line) => (line === '' ? '' : `    ${line}`))];
}

function signalBadge({ signal, text }: DraftView, { green, magenta, bold }: Colours): string {
  if (signal === 'soft') return bold(green('+1'));
  return signal === 'word' ? bold(magenta(`[${oneLine(text)}]`)) : '';
}

function marks(
  { seen, same_as, confidence, status, unstructured }: DraftView,
  { cyan, yellow, dim }: Colours,
): string[] {
  return [
    ...(seen ? [] : [cyan('new')]),
    ...(status === 'final' ? [yellow('final')] : status === 'working' ? [dim('still working')] : []),
    ...(confidence === undefined ? [] : [dim(`${Math.round(confidence * 100)} % sure`)]),
    ...(unstructured ? [dim('plain text, without thoughts')] : []),
    ...(same_as === undefined ? [] : [dim(`the same as #${same_as}`)]),
  ];
}

/** Length and cadence both carry meaning (D14). */
function lengthOf({ chars, after }: DraftView): string {
  return `${counted(chars, 'character')}${after > 1 ? `, after ${counted(after, 'iteration')}` : ''}`;
}

const EMPTY_ANSWER = 'The model answered with nothing; counted as silence.';

/** An iteration in a line, as it is told while a mind runs. */
export function iterationLine(view: IterationView, { colors }: { colors: Colours }, width: number): string {
  const { iter, outcome, draft, thoughts, problem, empty } = view;
  const what = {
    draft: `draft #${draft?.index}`,
    signal: draft?.signal === 'soft' ? `+1 (#${draft.index})` : `${oneLine(draft?.text ?? '')} (#${draft?.index})`,
    silence: 'silence',
    malformed: 'malformed',
    error: 'failed',
  }[outcome];
  const told = empty ? EMPTY_ANSWER : problem;
  const said = told ?? (outcome === 'draft' ? draft?.text : thoughts[0]?.text) ?? '';
  const start = `${iter}  ${what}  `;
  const rest = shorten(oneLine(said), Math.max(10, width - start.length));
  const paint = {
    draft: colors.bold,
    signal: colors.green,
    silence: colors.yellow,
    malformed: colors.red,
    error: colors.red,
  };
  return `${colors.dim(String(iter))}  ${paint[outcome](what)}  ${outcome === 'draft' ? rest : colors.dim(rest)}`;
}

/** Whose words the latest are; a small model says so wherever it speaks (M3). */
export function writtenBy({ iterations, config }: Dialogue): string {
  return writer(config.self, iterations.at(-1)?.content);
}

/** The same for a run: its cost is that of all models that were asked in it. */
export function writtenInRun({ iterations, config }: Dialogue, { run, done }: Pick<RunView, 'run' | 'done'>): string {
  const written = done === 0 ? [] : iterations.slice(-done).filter(({ content }) => content.run === run);
  return writer(config.self, ...written.map(({ content }) => content));
}

/** What wrote something, as views tell it. */
export interface Written {
  readonly model?: string | undefined;
  readonly small?: true | undefined;
}

/** A name, and each of the models that spoke under it. */
export function writer(self: string, ...written: readonly (Written | undefined)[]): string {
  const models = written.flatMap((each) => (each?.model === undefined ? [] : [modelWords(each.model, each.small)]));
  return models.length === 0 ? self : `${self} (${[...new Set(models)].join('; ')})`;
}

function modelWords(model: string, small: true | undefined): string {
  return `${oneLine(model)}${small ? ', a small model' : ''}`;
}
