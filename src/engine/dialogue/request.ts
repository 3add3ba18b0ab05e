import type { MindInput } from '../../core/dialogue/runs/mind-input.ts';
import { writeInput } from '../../formats/mind/dialogue-input.ts';
import type { Capabilities, Chat, ChatMessage, FramePart } from '../../models/model.ts';
import type { Dropped, Part } from '../../models/prompt/fit.ts';
import type { Mistake } from '../ask/outcome.ts';
import type { Fitting } from '../calls/calls.ts';

const LONGEST_ANSWER = 4096;
const LONGEST_REMINDER = 4000;

/** The prompt as instruction, what the mind is shown as data beside it; pieces that do not fit go (M9, M10). */
export function questionFor(
  prompt: string,
  input: MindInput,
  { context }: Capabilities,
  sampling: Pick<Chat, 'seed' | 'temperature'>,
  mistake?: Mistake,
): Fitting<Chat> {
  return {
    parts: [
      { kind: 'fixed', id: 'prompt', text: prompt },
      ...input.thoughts.map(({ id, text }): Part => ({ kind: 'pool', id: `sampled ${id}`, text })),
      ...input.recalled.map(({ id, text }): Part => ({ kind: 'pool', id: `recalled ${id}`, text })),
      ...input.recent.map(({ id, text }): Part => ({ kind: 'pool', id: `recent ${id}`, text })),
      ...input.history.map(({ turn, reply }): Part => ({ kind: 'history', id: String(turn), text: reply.text })),
      ...lastToGo(input.drafts).map(({ index, text }): Part => ({ kind: 'draft', id: String(index), text })),
      { kind: 'awaiting', id: 'awaiting', text: input.awaiting.text },
    ],
    build: (parts) => ({
      ...sampling,
      maxTokens: Math.min(LONGEST_ANSWER, Math.floor(context / 3)),
      messages: [
        { role: 'system', content: prompt },
        { role: 'user', content: writeInput(left(input, parts)) },
        ...(mistake ? corrected(mistake) : []),
      ],
    }),
  };
}

function lastToGo(drafts: MindInput['drafts']): MindInput['drafts'] {
  return [...drafts.filter(({ isReply }) => !isReply), ...drafts.filter(({ isReply }) => isReply)];
}

function left(input: MindInput, parts: readonly Part[]): MindInput {
  const has = new Set(parts.map(({ kind, id }) => `${kind} ${id}`));
  return {
    ...input,
    thoughts: input.thoughts.filter(({ id }) => has.has(`pool sampled ${id}`)),
    recalled: input.recalled.filter(({ id }) => has.has(`pool recalled ${id}`)),
    recent: input.recent.filter(({ id }) => has.has(`pool recent ${id}`)),
    history: input.history.filter(({ turn }) => has.has(`history ${turn}`)),
    drafts: input.drafts.filter(({ index }) => has.has(`draft ${index}`)),
  };
}

function corrected({ text, why }: Mistake): readonly ChatMessage[] {
  return [
    { role: 'assistant', content: text.slice(0, LONGEST_REMINDER) || '(nothing)' },
    {
      role: 'user',
      content: `That could not be read. ${why} Write the whole of it again, as YAML with "thoughts:" and "draft:", and nothing around it.`,
    },
  ];
}

/** What the mind was shown of an input, by id, once the dropped pieces are out of it (D3). */
export function shownOf(input: MindInput, dropped: Dropped | undefined) {
  const gone = (list: readonly string[] | undefined, word = '') =>
    (list ?? []).filter((id) => id.startsWith(word)).map((id) => Number(id.slice(word.length)));
  const without = (ids: readonly number[], lost: readonly number[]) => ids.filter((id) => !lost.includes(id));
  const ids = (thoughts: MindInput['thoughts']) => thoughts.map(({ id }) => id);
  const lost = { history: gone(dropped?.history), drafts: gone(dropped?.drafts) };
  const lostThoughts = (['sampled ', 'recalled ', 'recent '] as const).flatMap((word) => gone(dropped?.pool, word));
  const any = lostThoughts.length + lost.history.length + lost.drafts.length > 0;
  return {
    shown: {
      thoughts: without(ids(input.thoughts), gone(dropped?.pool, 'sampled ')),
      recent: without(ids(input.recent), gone(dropped?.pool, 'recent ')),
      recalled: without(ids(input.recalled), gone(dropped?.pool, 'recalled ')),
      drafts: without(
        input.drafts.map(({ index }) => index),
        lost.drafts,
      ),
      history: without(
        input.history.map(({ turn }) => turn),
        lost.history,
      ),
      steer: input.steer.length,
    },
    ...(any && { dropped: { thoughts: lostThoughts, ...lost } }),
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
const PAST = 2;

/**
 * For a model that cannot follow instructions but fills the holes of a frame: the form is ours, the words are its own. It
 * is told the message, with a thought or two before it, and no more: its context is small (M3).
 */
export function frameFor(
  input: MindInput,
  sampling: Pick<Chat, 'seed' | 'temperature'>,
): { request: Chat; told: MindInput } {
  const thoughts = input.thoughts.slice(0, PAST);
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
    told: { ...input, thoughts, recent: [], recalled: [], history: [], drafts: [] },
  };
}
