import type { AuditInput, ExchangeMindInput, RequiredText } from '../../core/exchange/rounds/inputs.ts';
import type { Terms } from '../../core/exchange/terms/terms.ts';
import { sanitizeLine } from '../../core/text/sanitize.ts';
import { writeAuditInput, writeExchangeInput } from '../../formats/mind/exchange-input.ts';
import { type MalformedOutput, parseMindOutput } from '../../formats/mind/output.ts';
import type { Capabilities, Chat, ChatImage, ChatMessage, FramePart } from '../../models/model.ts';
import type { PromptPart } from '../../models/prompt/fit.ts';
import { repairMessages } from '../ask/ask.ts';
import type { ParsedAnswer, StepQuestion } from '../ask/model-step.ts';
import type { Files } from '../attachments/files.ts';
import { joinText, prepareFiles, type ShowFiles } from '../attachments/show.ts';
import type { CallReply } from '../calls/calls.ts';

type ExchangeSampling = Pick<Chat, 'temperature'>;
const MAX_ANSWER_TOKENS = 4096;
const MIND_FORM = 'Write the whole of it again, as YAML with "thoughts:", and nothing around it.';
const AUDIT_FORM = 'Write the whole of it again, by your specification.';
const NO_THOUGHTS: MalformedOutput = {
  malformed: 'It has no "thoughts:".',
  mend: 'Even to stay silent, write "thoughts: []".',
};

export interface MindResult {
  readonly thoughts: string[];
  readonly restart?: string;
}

/** The ids of the thoughts shown. Legibility is partial if a text was shortened or shown in a frame. */
interface ShownThoughts {
  readonly legibility?: 'partial';
  readonly shown: number[];
  readonly dropped?: number[];
}

type ExchangeQuestion<Result> = StepQuestion<Result, ShownThoughts, readonly number[]>;

function shownThoughts(input: ExchangeMindInput | AuditInput) {
  const ids = input.thoughts.map(({ id }) => id);
  return {
    nothingShown: { shown: [] },
    describeShown({ dropped, legibility }: CallReply, framed?: readonly number[]): ShownThoughts {
      const droppedIds = (dropped?.pool ?? []).map(Number);
      return {
        ...((framed || legibility === 'partial') && { legibility: 'partial' }),
        shown: (framed ?? ids).filter((id) => !droppedIds.includes(id)),
        ...(droppedIds.length > 0 && { dropped: droppedIds }),
      };
    },
  };
}

/** The question for a mind: its prompt as instructions, everything else as data (M9, X14). */
export function mindQuestion(
  terms: Terms,
  input: ExchangeMindInput,
  showFiles?: ShowFiles,
): ExchangeQuestion<MindResult> {
  return {
    ...shownThoughts(input),
    fit: fitterFor(terms, { prompt: terms.mind_prompt, input, write: writeExchangeInput, form: MIND_FORM, showFiles }),
    frame: (seed) => mindFrame(withFiles(input, showFiles, NO_FILES).input, { seed, ...samplingOf(terms) }),
    read(text) {
      const output = parseMindOutput(text);
      if ('malformed' in output) return inExchangeWords(output);
      const { draft, restart, cleaned } = output;
      // An exchange has no drafts: a draft, or plain text (D28), counts as one thought.
      const thoughts = output.thoughts.length === 0 && draft !== undefined ? [draft] : output.thoughts;
      return { result: { thoughts: [...thoughts], ...(restart && { restart }) }, ...(cleaned && { cleaned }) };
    },
  };
}

/** Rewords the error for an exchange, whose minds know of no drafts. */
function inExchangeWords({ malformed, mend }: MalformedOutput): MalformedOutput {
  if (/nor "draft:?"|thoughts and draft/.test(malformed)) return NO_THOUGHTS;
  return { malformed, ...(mend !== undefined && { mend }) };
}

/** The question for the auditor: its specification and the whole active pool. */
export function auditQuestion(
  terms: Terms,
  input: AuditInput,
  showFiles?: ShowFiles,
): ExchangeQuestion<{ readonly text: string }> {
  return {
    ...shownThoughts(input),
    fit: fitterFor(terms, { prompt: terms.auditor_spec, input, write: writeAuditInput, form: AUDIT_FORM, showFiles }),
    frame: (seed) => auditFrame(input, { seed, ...samplingOf(terms) }),
    read: parseAudit,
  };
}

function samplingOf({ temperature }: Terms): ExchangeSampling {
  return temperature === null ? {} : { temperature };
}

interface FitOptions<Input> {
  readonly prompt: string;
  readonly input: Input;
  readonly form: string;
  readonly showFiles: ShowFiles | undefined;
  write(input: Input): string;
}

/** A small model has no room for files: it only reads their names. */
const NO_FILES = { context: 0 };

/** Drops thoughts first, oldest first; shortens the texts that everyone must know last (M10). */
function fitterFor<Input extends ExchangeMindInput | AuditInput>(
  terms: Terms,
  { prompt, input: given, write, form, showFiles }: FitOptions<Input>,
): ExchangeQuestion<unknown>['fit'] {
  return ({ capabilities }, seed, mistake) => {
    const { context } = capabilities;
    const { input, images } = withFiles(given, showFiles, capabilities);
    return {
      parts: [
        { kind: 'fixed', id: 'prompt', text: prompt },
        ...input.thoughts.map(({ id, text }): PromptPart => ({ kind: 'pool', id: String(id), text })),
        // The mind's own instructions are already above, unchanged.
        ...input.terms
          .filter(({ text }) => text !== prompt)
          .map(({ id, text, hash }): PromptPart => ({ kind: 'terms', id, text, hash })),
      ],
      build: (parts) => ({
        ...{ seed, ...samplingOf(terms) },
        maxTokens: Math.min(MAX_ANSWER_TOKENS, Math.floor(context / 3)),
        messages: [
          { role: 'system', content: prompt },
          { role: 'user', content: write(withParts(input, parts)), ...(images.length > 0 && { images }) },
          ...(mistake ? repairMessages(mistake, 'That could not be used.', form) : []),
        ],
      }),
    };
  };
}

/** The texts with words about their files, and the images. */
function withFiles<Input extends ExchangeMindInput | AuditInput>(
  input: Input,
  showFiles: ShowFiles | undefined,
  capabilities: Pick<Capabilities, 'context' | 'images'>,
): { readonly input: Input; readonly images: readonly ChatImage[] } {
  if (!showFiles) return { input, images: [] };
  const shown = showFiles(capabilities);
  const { observer, injections } = input.latest;
  const latest = {
    ...input.latest,
    observer: observer.map((text, i) => joinText(text, shown[i])),
    injections: injections.map((text, i) => joinText(text, shown[observer.length + i])),
  };
  return { input: { ...input, latest }, images: shown.flatMap(({ images }) => images) };
}

/** The files of an input, in the order in which `withFiles` expects them; undefined if there are none. */
export async function filesFor(
  files: Files,
  { attached }: ExchangeMindInput | AuditInput,
): Promise<ShowFiles | undefined> {
  return attached && prepareFiles(files, [...attached.observer, ...attached.injections]);
}

function withParts<Input extends ExchangeMindInput | AuditInput>(input: Input, parts: readonly PromptPart[]): Input {
  const texts = new Map(parts.map(({ kind, id, text }) => [`${kind} ${id}`, text]));
  const terms = input.terms.map(
    (each): RequiredText => ({ ...each, text: texts.get(`terms ${each.id}`) ?? each.text }),
  );
  return { ...input, terms, thoughts: input.thoughts.filter(({ id }) => texts.has(`pool ${id}`)) };
}

const MAX_AUDIT_CHARS = 64 * 1024;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
const THINK_END = '</think>';

/** Reads plain text, removes thinking aloud, and makes characters visible that no store can keep (L15). */
function parseAudit(raw: string): ParsedAnswer<{ readonly text: string }> | MalformedOutput {
  const thinkEnd = raw.lastIndexOf(THINK_END);
  const trimmed = (thinkEnd < 0 ? raw : raw.slice(thinkEnd + THINK_END.length)).replace(/\r\n?/g, '\n').trim();
  if (trimmed === '') return { malformed: 'It is empty.' };
  if (trimmed.length > MAX_AUDIT_CHARS) return { malformed: `It is longer than ${MAX_AUDIT_CHARS / 1024} KiB.` };
  const text = trimmed.toWellFormed().replace(CONTROLS, '\ufffd');
  return { result: { text }, ...(text !== trimmed && { cleaned: true as const }) };
}

const MAX_SHOWN = 2;
const THOUGHT_FRAME: readonly FramePart[] = [
  { write: 'thoughts:\n  - |\n    ', read: 'Anna thought, "' },
  { maxTokens: 32, stop: ['"'], lineBreak: '\n    ' },
  { write: '\n', read: '' },
];

/**
 * A small model sees a thought or two and the latest injection or observer note; of each text that everyone must know,
 * its id, hash and first words (M3, M10).
 */
function mindFrame(input: ExchangeMindInput, samplingOptions: Pick<Chat, 'seed' | 'temperature'>) {
  const thoughts = input.thoughts.slice(0, MAX_SHOWN);
  const { observer, injections } = input.latest;
  const topic =
    [...injections, ...observer].at(-1)?.replace(/^(>>>|\[OBSERVER\])\s*/, '') ?? sanitizeLine(input.question);
  return {
    framed: thoughts.map(({ id }) => id),
    request: {
      ...samplingOptions,
      frame: THOUGHT_FRAME,
      messages: [
        termsMessage(input.terms),
        ...thoughts.map(({ text }): ChatMessage => ({ role: 'assistant', content: excerpt(text, 160) })),
        { role: 'user' as const, content: excerpt(topic, 240) },
      ],
    },
  };
}

const MAX_CITED = 3;

/** The numbers are ours and real; the model writes only the words between them. */
function auditFrame(input: AuditInput, samplingOptions: Pick<Chat, 'seed' | 'temperature'>) {
  const byCluster = input.clusters.flatMap(({ latest }) => input.thoughts.find(({ id }) => id === latest) ?? []);
  const newest = [...input.thoughts].reverse().filter((thought) => !byCluster.includes(thought));
  const citedThoughts = [...byCluster, ...newest].slice(0, MAX_CITED);
  const frame = citedThoughts.flatMap(({ id, text, cluster }, i): FramePart[] => {
    const about = cluster ? `Cluster ${cluster.id} (${cluster.size} active)` : 'Alone';
    const lead = `${i === 0 ? '' : '" '}Tom said, "${excerpt(text, 80)}" Anna said, "It is about `;
    return [
      { write: `${i === 0 ? '' : '\n'}${about} [#${id}]: `, read: lead },
      { maxTokens: 16, stop: ['"', '\n'], lineBreak: ' ' },
    ];
  });
  return {
    framed: citedThoughts.map(({ id }) => id),
    request: {
      ...samplingOptions,
      frame: [...frame, { write: '\n', read: '' }],
      messages: [termsMessage(input.terms), { role: 'user' as const, content: 'What is it about?' }],
    },
  };
}

function termsMessage(terms: readonly RequiredText[]): ChatMessage {
  return {
    role: 'system',
    content: terms.map(({ id, hash, text }) => `${id} ${hash}: ${excerpt(text, 80)}`).join('\n'),
  };
}

function excerpt(text: string, length: number): string {
  return [...text.slice(0, 2 * length).replace(/\s+/g, ' ')].slice(0, length).join('');
}
