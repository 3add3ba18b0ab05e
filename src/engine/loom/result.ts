import type { TokenRow } from '../../core/loom/events.ts';
import type { RefusalDetail } from '../../core/refusal.ts';
import type { Token } from '../../models/model.ts';
import type { Called } from '../calls/calls.ts';
import type { Dropped } from './request.ts';

interface Choice {
  readonly content: string;
  readonly finish: 'stop' | 'length' | 'cancelled' | 'failed';
  readonly withheld?: true;
  readonly tokens?: TokenRow[];
  readonly score?: number;
  readonly raw?: string;
  readonly number?: number;
}

export type Answer =
  | {
      readonly model: string;
      readonly label?: 'small';
      readonly choices: Choice[];
      readonly prompt_hash?: string;
      readonly dropped?: Dropped;
      readonly templated?: true;
      readonly seed?: number;
      readonly error?: { readonly code: string; readonly message: string };
      readonly raw?: string;
      readonly usage?: { readonly prompt: number; readonly generated: number; readonly estimated?: true };
      readonly cost?: number;
    }
  | { readonly refusal: RefusalDetail; readonly raw?: string };

/** What one call brought: all of it, or what had come before it broke. */
export interface Heard {
  readonly called: Called | undefined;
  readonly refusal: (RefusalDetail & { readonly raw?: string }) | undefined;
  readonly choices: readonly Gathered[];
  readonly dropped: Dropped | undefined;
  readonly templated: boolean;
}

export interface Gathered {
  text: string;
  finish: Choice['finish'] | undefined;
  withheld: boolean;
  readonly tokens: Token[];
}

/** A call by the number of its first choice. */
export type Numbered = readonly [first: number, part: Heard];

/** What is reported of all calls of a generation together. */
export function answerOf(name: string, parts: readonly Numbered[]): Answer {
  const heard = parts.map(([, part]) => part);
  const broken = heard.find(({ refusal }) => refusal)?.refusal;
  const something = heard.some(({ called, choices }) => called || choices.some(({ text }) => text !== ''));
  if (broken && !something) {
    return { refusal: broken, ...(typeof broken.raw === 'string' && { raw: broken.raw }) };
  }
  const called = heard.flatMap((each) => (each.called ? [each.called] : []));
  const [first] = called;
  const raws = heard.map((each) => each.called?.raw ?? each.refusal?.raw);
  const several = heard.length > 1;
  const choices = parts
    .flatMap(([first, part], i) =>
      part.choices.map((choice, at) => ({ choice, number: first + at, raw: several ? raws[i] : undefined })),
    )
    // Of what was broken off only what had come is kept.
    .filter(({ choice: { text, finish } }) => text !== '' || finish === 'stop' || finish === 'length')
    .map(({ choice, number, raw }, at) => ({ ...choiceOf(choice, raw), ...(number !== at && { number }) }));
  const dropped = heard.find((each) => each.dropped)?.dropped;
  const usage = called.map((each) => each.usage);
  const raw = raws.find((each) => typeof each === 'string');
  return {
    model: name,
    choices,
    ...(first?.label && { label: first.label }),
    ...(first && { prompt_hash: first.promptHash }),
    ...(dropped && { dropped }),
    ...(heard.some(({ templated }) => templated) && { templated: true }),
    ...(first?.seed !== undefined && { seed: first.seed }),
    ...(broken && { error: { code: broken.code, message: broken.message } }),
    ...(raw !== undefined && { raw }),
    ...(usage.length > 0 && {
      usage: {
        prompt: sum(usage.map(({ promptTokens }) => promptTokens)),
        generated: sum(usage.map(({ generatedTokens }) => generatedTokens)),
        ...(usage.some(({ estimated }) => estimated) && { estimated: true as const }),
      },
      cost: sum(called.map(({ cost }) => cost)),
    }),
  };
}

const MOST_TOKENS = 2_000;
const MOST_ALTERNATIVES = 10;

function choiceOf({ text, finish, withheld, tokens }: Gathered, raw: string | undefined): Choice {
  const rows = tokens.slice(0, MOST_TOKENS).map(({ text: token, logprob, alternatives }): TokenRow => {
    const others = alternatives
      .slice(0, MOST_ALTERNATIVES)
      .map((other): [string, number] => [storable(other.text), other.logprob]);
    return [
      storable(token),
      Number.isFinite(logprob) ? logprob : null,
      others.filter(([, value]) => Number.isFinite(value)),
    ];
  });
  const likely = tokens.filter(({ logprob }) => Number.isFinite(logprob)).map(({ logprob }) => logprob);
  return {
    content: storable(text),
    finish: finish ?? 'failed',
    ...(withheld && { withheld: true }),
    ...(rows.length > 0 && { tokens: rows }),
    ...(likely.length > 0 && { score: sum(likely) / likely.length }),
    ...(raw !== undefined && { raw }),
  };
}

/** What a store keeps as it is (L15): a model may write anything. */
function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
