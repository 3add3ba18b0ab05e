import type { AuditInput, Legible, MindInput } from '../../core/exchange/rounds/inputs.ts';
import type { Terms } from '../../core/exchange/terms/terms.ts';
import { dataLine } from '../../core/text/sanitize.ts';
import { writeAuditInput, writeMindInput } from '../../formats/mind/exchange-input.ts';
import { type Malformed, parseOutput } from '../../formats/mind/output.ts';
import type { Chat, ChatMessage, FramePart, Model } from '../../models/model.ts';
import type { Part } from '../../models/prompt/fit.ts';
import type { Mistake } from '../ask/outcome.ts';
import type { Fitting } from '../calls/calls.ts';
import { corrected, type Question } from './ask.ts';

type Sampling = Pick<Chat, 'temperature'>;
const LONGEST_ANSWER = 4096;
const MIND_FORM = 'Write the whole of it again, as YAML with "thoughts:", and nothing around it.';
const AUDIT_FORM = 'Write the whole of it again, by your specification.';
const NO_THOUGHTS: Malformed = {
  malformed: 'It has no "thoughts:".',
  mend: 'Even to stay silent, write "thoughts: []".',
};

export interface MindResult {
  readonly thoughts: string[];
  readonly restart?: string;
}

/** How a mind is asked: its prompt as instruction, everything else as data beside it (M9, X14). */
export function mindQuestion(
  terms: Terms,
  input: MindInput,
): Pick<Question<MindResult>, 'fit' | 'frame' | 'read' | 'thoughts'> {
  return {
    thoughts: input.thoughts.map(({ id }) => id),
    fit: (model, seed, mistake) =>
      fitting(terms.mind_prompt, input, writeMindInput, model, { seed, ...sampling(terms) }, MIND_FORM, mistake),
    frame: (seed) => mindFrame(input, { seed, ...sampling(terms) }),
    read(text) {
      const output = parseOutput(text);
      if ('malformed' in output) return ofThoughts(output);
      const { draft, restart, cleaned } = output;
      // There are no drafts here; what was meant for one, and plain text (D28), is one thought.
      const thoughts = output.thoughts.length === 0 && draft !== undefined ? [draft] : output.thoughts;
      return { thoughts: [...thoughts], ...(restart && { restart }), ...(cleaned && { cleaned }) };
    },
  };
}

/** What is wrong, in the words of an exchange: its minds know of no drafts. */
function ofThoughts({ malformed, mend }: Malformed): Malformed {
  if (/nor "draft:?"|thoughts and draft/.test(malformed)) return NO_THOUGHTS;
  return { malformed, ...(mend !== undefined && { mend }) };
}

/** How the auditor is asked: by its specification, on the whole active pool. */
export function auditQuestion(
  terms: Terms,
  input: AuditInput,
): Pick<Question<{ readonly text: string }>, 'fit' | 'frame' | 'read' | 'thoughts'> {
  return {
    thoughts: input.thoughts.map(({ id }) => id),
    fit: (model, seed, mistake) =>
      fitting(terms.auditor_spec, input, writeAuditInput, model, { seed, ...sampling(terms) }, AUDIT_FORM, mistake),
    frame: (seed) => auditFrame(input, { seed, ...sampling(terms) }),
    read: readAudit,
  };
}

function sampling({ temperature }: Terms): Sampling {
  return temperature === null ? {} : { temperature };
}

/** Thoughts go first where there is no room, oldest first; the texts all must know are shortened last (M10). */
function fitting<Input extends MindInput | AuditInput>(
  prompt: string,
  input: Input,
  write: (input: Input) => string,
  { capabilities: { context } }: Model,
  sampled: Pick<Chat, 'seed' | 'temperature'>,
  form: string,
  mistake: Mistake | undefined,
): Fitting<Chat> {
  return {
    parts: [
      { kind: 'fixed', id: 'prompt', text: prompt },
      ...input.thoughts.map(({ id, text }): Part => ({ kind: 'pool', id: String(id), text })),
      // Its own instructions stand above as they are.
      ...input.terms
        .filter(({ text }) => text !== prompt)
        .map(({ id, text, hash }): Part => ({ kind: 'terms', id, text, hash })),
    ],
    build: (parts) => ({
      ...sampled,
      maxTokens: Math.min(LONGEST_ANSWER, Math.floor(context / 3)),
      messages: [
        { role: 'system', content: prompt },
        { role: 'user', content: write(left(input, parts)) },
        ...(mistake ? corrected(mistake, form) : []),
      ],
    }),
  };
}

function left<Input extends MindInput | AuditInput>(input: Input, parts: readonly Part[]): Input {
  const texts = new Map(parts.map(({ kind, id, text }) => [`${kind} ${id}`, text]));
  const terms = input.terms.map((each): Legible => ({ ...each, text: texts.get(`terms ${each.id}`) ?? each.text }));
  return { ...input, terms, thoughts: input.thoughts.filter(({ id }) => texts.has(`pool ${id}`)) };
}

const MAX_AUDIT = 64 * 1024;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
const THOUGHT_ALOUD = '</think>';

/** Plain text; without what was thought aloud, and with what no store keeps made visible (L15). */
function readAudit(raw: string): { text: string; cleaned?: true } | Malformed {
  const aloud = raw.lastIndexOf(THOUGHT_ALOUD);
  const said = (aloud < 0 ? raw : raw.slice(aloud + THOUGHT_ALOUD.length)).replace(/\r\n?/g, '\n').trim();
  if (said === '') return { malformed: 'It is empty.' };
  if (said.length > MAX_AUDIT) return { malformed: `It is longer than ${MAX_AUDIT / 1024} KiB.` };
  const text = said.toWellFormed().replace(CONTROLS, '\ufffd');
  return { text, ...(text !== said && { cleaned: true as const }) };
}

const SHOWN = 2;
const THOUGHT_FRAME: readonly FramePart[] = [
  { write: 'thoughts:\n  - |\n    ', read: 'Anna thought, "' },
  { maxTokens: 32, stop: ['"'], lineBreak: '\n    ' },
  { write: '\n', read: '' },
];

/** A small model is told a thought or two and what was said last; of the texts all must know, which they are (M3, M10). */
function mindFrame(input: MindInput, sampled: Pick<Chat, 'seed' | 'temperature'>) {
  const thoughts = input.thoughts.slice(0, SHOWN);
  const { observer, injections } = input.latest;
  const topic = [...injections, ...observer].at(-1)?.replace(/^(>>>|\[OBSERVER\])\s*/, '') ?? dataLine(input.question);
  return {
    thoughts: thoughts.map(({ id }) => id),
    request: {
      ...sampled,
      frame: THOUGHT_FRAME,
      messages: [
        named(input.terms),
        ...thoughts.map(({ text }): ChatMessage => ({ role: 'assistant', content: beginning(text, 160) })),
        { role: 'user' as const, content: beginning(topic, 240) },
      ],
    },
  };
}

const CITED = 3;

/** The numbers are ours and real; what is said of them is the model's own. */
function auditFrame(input: AuditInput, sampled: Pick<Chat, 'seed' | 'temperature'>) {
  const byCluster = input.clusters.flatMap(({ latest }) => input.thoughts.find(({ id }) => id === latest) ?? []);
  const newest = [...input.thoughts].reverse().filter((thought) => !byCluster.includes(thought));
  const cited = [...byCluster, ...newest].slice(0, CITED);
  const frame = cited.flatMap(({ id, text, cluster }, i): FramePart[] => {
    const about = cluster ? `Cluster ${cluster.id} (${cluster.size} active)` : 'Alone';
    const said = `${i === 0 ? '' : '" '}Tom said, "${beginning(text, 80)}" Anna said, "It is about `;
    return [
      { write: `${i === 0 ? '' : '\n'}${about} [#${id}]: `, read: said },
      { maxTokens: 16, stop: ['"', '\n'], lineBreak: ' ' },
    ];
  });
  return {
    thoughts: cited.map(({ id }) => id),
    request: {
      ...sampled,
      frame: [...frame, { write: '\n', read: '' }],
      messages: [named(input.terms), { role: 'user' as const, content: 'What is it about?' }],
    },
  };
}

function named(terms: readonly Legible[]): ChatMessage {
  return {
    role: 'system',
    content: terms.map(({ id, hash, text }) => `${id} ${hash}: ${beginning(text, 80)}`).join('\n'),
  };
}

function beginning(text: string, length: number): string {
  return [...text.slice(0, 2 * length).replace(/\s+/g, ' ')].slice(0, length).join('');
}
