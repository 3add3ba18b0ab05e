import { z } from 'zod';
import type { Capabilities } from '../../model.ts';

/**
 * Fields that a request can do without if a server refuses them. `system`: system messages, moved into the first
 * turn. `images`: the images of messages, which words stand in for.
 */
export const droppableFields = [
  'n',
  'logprobs',
  'max_tokens',
  'stream',
  'stream_options',
  'temperature',
  'top_p',
  'top_k',
  'seed',
  'stop',
  'system',
  'images',
] as const;
export type DroppableField = (typeof droppableFields)[number];

const limitNames = ['max_tokens', 'max_completion_tokens'] as const;
export type LimitName = (typeof limitNames)[number];
const positiveInt = z.number().int().positive().optional();

const quirksSchema = z.object({
  /** Fields the server refuses, which are left out. */
  without: z.array(z.enum(droppableFields)).optional(),
  /** The maximum values the server accepts, or gives in one answer. */
  most: z.object({ n: positiveInt, logprobs: positiveInt, max_tokens: positiveInt }).optional(),
  /** The server's name for the answer limit. */
  limit: z.enum(limitNames).optional(),
  /** The model thinks before it writes, within the same limit, so the limit needs extra room. */
  thinks: z.literal(true).optional(),
});

/** The quirks found in one server and model (M11). */
export type Quirks = z.infer<typeof quirksSchema>;

/** The known quirks of a server and model; new ones apply from the next request on. */
export interface QuirkBook {
  readonly quirks: Quirks;
  learn(changes: Quirks): void;
  forget(): void;
}

export function createQuirkBook(quirks: Quirks = {}, onChange: (quirks: Quirks) => void = () => {}): QuirkBook {
  const update = (updated: Quirks) => {
    quirks = updated;
    onChange(quirks);
  };
  return {
    get quirks() {
      return quirks;
    },
    learn: (changes) => update(mergeQuirks(quirks, changes)),
    forget: () => update({}),
  };
}

export function mergeQuirks(a: Quirks, b: Quirks): Quirks {
  const without = [...new Set([...(a.without ?? []), ...(b.without ?? [])])];
  const most = { ...a.most, ...b.most };
  return {
    ...a,
    ...b,
    ...(without.length > 0 && { without }),
    ...(Object.keys(most).length > 0 && { most }),
  };
}

/** An unreadable record counts as none: the quirks are found again. */
export function parseQuirks(text: string | undefined): Quirks {
  try {
    return quirksSchema.parse(JSON.parse(text ?? '{}'));
  } catch {
    return {};
  }
}

export function withQuirks(declared: Capabilities, { without = [], most = {} }: Quirks): Capabilities {
  return {
    ...declared,
    n: without.includes('n') ? 1 : Math.min(declared.n, most.n ?? declared.n),
    logprobs: without.includes('logprobs') ? 0 : Math.min(declared.logprobs, most.logprobs ?? declared.logprobs),
    streaming: declared.streaming && !without.includes('stream'),
    ...(declared.images && { images: !without.includes('images') }),
  };
}

/** Describes the quirks for people, one sentence each. */
export function describeQuirks({ without = [], most = {}, limit, thinks }: Quirks): readonly string[] {
  const names = without.filter((field) => field !== 'n' && field !== 'system' && field !== 'images');
  const givesOne = without.includes('n') || most.n === 1;
  return [
    ...(names.length > 0
      ? [`Sent without ${names.join(', ')}: the server refuses ${names.length > 1 ? 'them' : 'it'}.`]
      : []),
    ...(givesOne ? ['Returns one choice at a time: Heddle sends one request per choice.'] : []),
    ...(!givesOne && most.n ? [`Returns at most ${most.n} choices at a time.`] : []),
    ...(most.logprobs ? [`Returns at most ${most.logprobs} alternatives for each token.`] : []),
    ...(most.max_tokens ? [`Writes at most ${most.max_tokens} tokens.`] : []),
    ...(limit ? [`Uses ${limit} for the answer limit.`] : []),
    ...(without.includes('system') ? ['Accepts no system message: instructions go into the first message.'] : []),
    ...(without.includes('images') ? ['Accepts no images: the model sees their names.'] : []),
    ...(thinks ? ['Thinks before it writes: the answer limit leaves room for that.'] : []),
  ];
}
