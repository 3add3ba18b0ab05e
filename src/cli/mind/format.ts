import type { DialogueStatus, DraftItem, ThreadClient } from '../../client/index.ts';
import type { Dialogue } from '../../core/dialogue/state.ts';
import type { DialogueAttention, DialogueNextStep, IterationView } from '../../core/dialogue/view/schema.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import { withCommandPrefix } from '../output/hints.ts';
import type { TextStyle } from '../output/output.ts';
import { oneLine, sanitize, shorten, wrap } from '../output/text.ts';
import { formatAgo } from '../output/time.ts';

type TerminalColors = TextStyle['colors'];

const LEVEL_LABELS: Record<Exclude<DialogueAttention['level'], 'thinking'>, string> = {
  idle: 'idle',
  publishable: 'publishable',
  needs_you: 'needs you',
};

const NEXT_COMMANDS: Record<DialogueNextStep, string> = {
  start: '"mind run" starts it',
  continue: '"mind run" continues',
  accept: '"mind accept" takes it',
};

/** What the mind needs from the person, why, and the commands that lead on (D14). */
export function attentionLines(
  { level, reason, next = [] }: DialogueAttention,
  { colors }: TextStyle,
  width: number,
): string[] {
  const hint = withCommandPrefix(next.map((step) => NEXT_COMMANDS[step]).join(', '));
  const sentence = sanitize(oneLine(hint ? reason.replace(/\.$/, ` (${hint}).`) : reason));
  // The sentence itself says whether the mind is thinking or has stopped, so it needs no label.
  if (level === 'thinking') return wrap(sentence, width);
  const word = LEVEL_LABELS[level];
  const [first = '', ...rest] = wrap(`${word}: ${sentence}`, width);
  return [badge(level, word, colors) + first.slice(word.length), ...rest];
}

function badge(level: DialogueAttention['level'], word: string, colors: TerminalColors): string {
  if (level === 'needs_you') return colors.bold(colors.yellow(word));
  if (level === 'publishable') return colors.bold(colors.green(word));
  return colors.dim(word);
}

/** A draft for display: a heading and its text. A signal is one line. */
export function draftLines(draft: DraftItem, { colors }: TextStyle, width: number, now: number): string[] {
  const { index, iter, text, signal, ts } = draft;
  const facts = [`iteration ${iter}`, ...(signal ? [] : [formatLength(draft)]), formatAgo(ts, now)].join(' · ');
  const head = [colors.bold(`#${index}`), signalBadge(draft, colors), ...draftBadges(draft, colors), colors.dim(facts)];
  const first = head.filter(Boolean).join('  ');
  return signal
    ? [first]
    : [first, ...wrap(sanitize(text), width - 4).map((line) => (line === '' ? '' : `    ${line}`))];
}

function signalBadge({ signal, text }: DraftItem, { green, magenta, bold }: TerminalColors): string {
  if (signal === 'soft') return bold(green('+1'));
  return signal === 'word' ? bold(magenta(`[${oneLine(text)}]`)) : '';
}

function draftBadges(
  { seen, same_as, confidence, status, unstructured }: DraftItem,
  { cyan, yellow, dim }: TerminalColors,
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
function formatLength({ chars, after }: DraftItem): string {
  return `${pluralize(chars, 'character')}${after > 1 ? `, after ${pluralize(after, 'iteration')}` : ''}`;
}

const EMPTY_ANSWER = 'The model’s answer was empty; counted as silence.';

/** One line for an iteration, as printed during a run. */
export function iterationLine(view: IterationView, { colors }: TextStyle, width: number): string {
  const { iter, outcome, draft, thoughts, problem, empty } = view;
  const what = {
    draft: `draft #${draft?.index}`,
    signal: draft?.signal === 'soft' ? `+1 (#${draft.index})` : `${oneLine(draft?.text ?? '')} (#${draft?.index})`,
    silence: 'silence',
    malformed: 'malformed',
    error: 'failed',
  }[outcome];
  const notice = empty ? EMPTY_ANSWER : problem;
  const body = notice ?? (outcome === 'draft' ? draft?.text : thoughts[0]?.text) ?? '';
  const prefix = `${iter}  ${what}  `;
  const rest = shorten(oneLine(body), Math.max(10, width - prefix.length));
  const paint = {
    draft: colors.bold,
    signal: colors.green,
    silence: colors.yellow,
    malformed: colors.red,
    error: colors.red,
  };
  return `${colors.dim(String(iter))}  ${paint[outcome](what)}  ${outcome === 'draft' ? rest : colors.dim(rest)}`;
}

/** The writer of the latest iteration. Small models are marked everywhere (M3). */
export function latestWriter({ iterations, config }: Dialogue): string {
  return formatWriter(config.self, iterations.at(-1)?.content);
}

/** All models that wrote in a run, because its cost covers them all. */
export function writersInRun(
  { iterations, config }: Dialogue,
  { run, done }: Pick<NonNullable<DialogueStatus['run']>, 'run' | 'done'>,
): string {
  const runIterations = done === 0 ? [] : iterations.slice(-done).filter(({ content }) => content.run === run);
  return formatWriter(config.self, ...runIterations.map(({ content }) => content));
}

/** The writer of an iteration, if there has been one. */
export async function writerOf(dialogue: ThreadClient['dialogue'], iter: number): Promise<WriterInfo | undefined> {
  return iter < 1 ? undefined : dialogue.iteration(iter);
}

/** The model that wrote something, as views report it. */
interface WriterInfo {
  readonly model?: string | undefined;
  readonly small?: true | undefined;
}

/** A name followed by every model that wrote under it. */
export function formatWriter(self: string, ...writers: readonly (WriterInfo | undefined)[]): string {
  const models = writers.flatMap((each) => (each?.model === undefined ? [] : [formatModel(each.model, each.small)]));
  return models.length === 0 ? self : `${self} (${[...new Set(models)].join('; ')})`;
}

function formatModel(model: string, small: true | undefined): string {
  return `${oneLine(model)}${small ? ', a small model' : ''}`;
}
