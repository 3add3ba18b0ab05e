import type { AgedText, DialogueMindInput } from '../../core/dialogue/runs/mind-input.ts';
import { writeDialogueInput } from '../../formats/mind/dialogue-input.ts';
import { parseMindOutput } from '../../formats/mind/output.ts';
import type { Capabilities, Chat, ChatImage, ChatMessage, FramePart, Model } from '../../models/model.ts';
import type { DroppedParts, PromptPart } from '../../models/prompt/fit.ts';
import { repairMessages } from '../ask/ask.ts';
import type { Mistake } from '../ask/outcome.ts';
import { joinText, type ShowFiles } from '../attachments/show.ts';
import type { CallReply, FittableRequest } from '../calls/calls.ts';

const MAX_ANSWER_TOKENS = 4096;
const FORM = 'Write the whole of it again, as YAML with "thoughts:" and "draft:", and nothing around it.';

/** Sends the prompt as instructions and the input as data; drops the parts that do not fit (M9, M10). */
function buildMindRequest(
  prompt: string,
  { input, imagesIn }: InputWithFiles,
  { context }: Capabilities,
  sampling: Pick<Chat, 'seed' | 'temperature'>,
  mistake?: Mistake,
): FittableRequest<Chat> {
  const userMessage = (remaining: DialogueMindInput): ChatMessage => {
    const images = imagesIn(remaining);
    return { role: 'user', content: writeDialogueInput(remaining), ...(images.length > 0 && { images }) };
  };
  return {
    parts: [
      { kind: 'fixed', id: 'prompt', text: prompt },
      ...input.thoughts.map(({ id, text }): PromptPart => ({ kind: 'pool', id: `sampled ${id}`, text })),
      ...input.recalled.map(({ id, text }): PromptPart => ({ kind: 'pool', id: `recalled ${id}`, text })),
      ...input.recent.map(({ id, text }): PromptPart => ({ kind: 'pool', id: `recent ${id}`, text })),
      ...input.history.map(({ turn, reply }): PromptPart => ({ kind: 'history', id: String(turn), text: reply.text })),
      ...repliesLast(input.drafts).map(({ index, text }): PromptPart => ({ kind: 'draft', id: String(index), text })),
      { kind: 'awaiting', id: 'awaiting', text: input.awaiting.text },
    ],
    build: (parts) => ({
      ...sampling,
      maxTokens: Math.min(MAX_ANSWER_TOKENS, Math.floor(context / 3)),
      messages: [
        { role: 'system', content: prompt },
        userMessage(withParts(input, parts)),
        ...(mistake ? repairMessages(mistake, 'That could not be read.', FORM) : []),
      ],
    }),
  };
}

/** The input with the words about its files, and the images that go with what is left of it. */
interface InputWithFiles {
  readonly input: DialogueMindInput;
  imagesIn(remaining: DialogueMindInput): readonly ChatImage[];
}

/** The texts of an input that may have files, oldest first. */
export function textsWithFiles({ history, awaiting, steer }: DialogueMindInput): readonly AgedText[] {
  return [...history.map(({ message }) => message), awaiting, ...steer];
}

function withFiles(
  input: DialogueMindInput,
  showFiles: ShowFiles | undefined,
  capabilities: Pick<Capabilities, 'context' | 'images'>,
): InputWithFiles {
  if (!showFiles) return { input, imagesIn: () => [] };
  const shown = showFiles(capabilities);
  const images = new Map<AgedText, readonly ChatImage[]>();
  const [...texts] = textsWithFiles(input).map((text, i): AgedText => {
    const withWords = { ...text, text: joinText(text.text, shown[i]) };
    images.set(withWords, shown[i]?.images ?? []);
    return withWords;
  });
  const { length } = input.history;
  const history = input.history.map((pair, i) => ({ ...pair, message: texts[i] as AgedText }));
  return {
    input: { ...input, history, awaiting: texts[length] as AgedText, steer: texts.slice(length + 1) },
    imagesIn: (remaining) => textsWithFiles(remaining).flatMap((text) => images.get(text) ?? []),
  };
}

function repliesLast(drafts: DialogueMindInput['drafts']): DialogueMindInput['drafts'] {
  return [...drafts.filter(({ isReply }) => !isReply), ...drafts.filter(({ isReply }) => isReply)];
}

function withParts(input: DialogueMindInput, parts: readonly PromptPart[]): DialogueMindInput {
  const remaining = new Set(parts.map(({ kind, id }) => `${kind} ${id}`));
  return {
    ...input,
    thoughts: input.thoughts.filter(({ id }) => remaining.has(`pool sampled ${id}`)),
    recalled: input.recalled.filter(({ id }) => remaining.has(`pool recalled ${id}`)),
    recent: input.recent.filter(({ id }) => remaining.has(`pool recent ${id}`)),
    history: input.history.filter(({ turn }) => remaining.has(`history ${turn}`)),
    drafts: input.drafts.filter(({ index }) => remaining.has(`draft ${index}`)),
  };
}

/** The ids of what the mind saw, without the dropped parts (D3). */
function shownIds(input: DialogueMindInput, dropped: DroppedParts | undefined) {
  const idsIn = (list: readonly string[] | undefined, prefix = '') =>
    (list ?? []).filter((id) => id.startsWith(prefix)).map((id) => Number(id.slice(prefix.length)));
  const except = (ids: readonly number[], excluded: readonly number[]) => ids.filter((id) => !excluded.includes(id));
  const ids = (thoughts: DialogueMindInput['thoughts']) => thoughts.map(({ id }) => id);
  const missing = { history: idsIn(dropped?.history), drafts: idsIn(dropped?.drafts) };
  const missingThoughts = (['sampled ', 'recalled ', 'recent '] as const).flatMap((prefix) =>
    idsIn(dropped?.pool, prefix),
  );
  const hasMissing = missingThoughts.length + missing.history.length + missing.drafts.length > 0;
  return {
    shown: {
      thoughts: except(ids(input.thoughts), idsIn(dropped?.pool, 'sampled ')),
      recent: except(ids(input.recent), idsIn(dropped?.pool, 'recent ')),
      recalled: except(ids(input.recalled), idsIn(dropped?.pool, 'recalled ')),
      drafts: except(
        input.drafts.map(({ index }) => index),
        missing.drafts,
      ),
      history: except(
        input.history.map(({ turn }) => turn),
        missing.history,
      ),
      steer: input.steer.length,
    },
    ...(hasMissing && { dropped: { thoughts: missingThoughts, ...missing } }),
  };
}

const THOUGHT = { maxTokens: 24, stop: ['"'] };
const FRAME: readonly FramePart[] = [
  { write: 'thoughts:\n  - |\n    ', read: 'Anna thought, "' },
  { ...THOUGHT, lineBreak: '\n    ' },
  { write: '\ndraft: |\n  ', read: '" Then Anna said, "' },
  { maxTokens: 60, stop: ['"'], lineBreak: '\n  ' },
  { write: '\n', read: '' },
];
const MAX_THOUGHTS = 2;
/** A small model has no room for files: it only reads their names. */
const NO_FILES = { context: 0 };

/**
 * Builds the request for a model that cannot follow instructions but fills the holes of a frame: the form is ours, the
 * words are its own. Its context is small, so it sees only the message and a thought or two (M3).
 */
function buildFrameRequest(
  input: DialogueMindInput,
  sampling: Pick<Chat, 'seed' | 'temperature'>,
): { request: Chat; framed: DialogueMindInput } {
  const thoughts = input.thoughts.slice(0, MAX_THOUGHTS);
  const notes = input.steer.map(({ text }) => text);
  return {
    request: {
      topP: 0.9,
      ...sampling,
      frame: FRAME,
      messages: [
        ...thoughts.map(({ text }): ChatMessage => ({ role: 'assistant', content: text })),
        { role: 'user', content: [input.awaiting.text, ...notes].join(' ') },
      ],
    },
    framed: { ...input, thoughts, recent: [], recalled: [], history: [], drafts: [] },
  };
}

/** The question for a mind's next iteration: its prompt, its input, and how to read its answer. */
export function mindQuestion(
  prompt: string,
  input: DialogueMindInput,
  temperature: number | null,
  showFiles?: ShowFiles,
) {
  const samplingFor = (seed: number) => ({ seed, ...(temperature !== null && { temperature }) });
  return {
    fit: ({ capabilities }: Model, seed: number, mistake?: Mistake) =>
      buildMindRequest(prompt, withFiles(input, showFiles, capabilities), capabilities, samplingFor(seed), mistake),
    frame: (seed: number) => buildFrameRequest(withFiles(input, showFiles, NO_FILES).input, samplingFor(seed)),
    describeShown: ({ dropped }: CallReply, framed?: DialogueMindInput) => shownIds(framed ?? input, dropped),
    nothingShown: { shown: { thoughts: [], recent: [], recalled: [], drafts: [], history: [], steer: 0 } },
    read(text: string) {
      const output = parseMindOutput(text);
      if ('malformed' in output) return output;
      const { cleaned, thoughts, ...rest } = output;
      const empty = text.trim() === '' && { empty: true as const };
      return { result: { thoughts: [...thoughts], ...rest, ...empty }, ...(cleaned && { cleaned }) };
    },
  };
}
