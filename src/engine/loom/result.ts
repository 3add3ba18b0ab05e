import type { LoomInput } from '../../core/loom/commands.ts';
import type { TokenRow } from '../../core/loom/events.ts';
import type { RefusalDetail } from '../../core/refusal.ts';
import type { ModelToken } from '../../models/model.ts';
import { addUsage, usageOf } from '../ask/outcome.ts';
import type { CallReply } from '../calls/calls.ts';
import type { DroppedNodes } from './request.ts';

type GenerationReport = LoomInput<'report_generation'>;
type LoomChoice = GenerationReport['choices'][number];

export type LoomCompletion =
  | Omit<GenerationReport, 'thread' | 'generation'>
  | { readonly refusal: RefusalDetail; readonly raw?: string };

/** The result of one call: complete, or the text before the stream broke. */
export interface LoomCall {
  readonly called: CallReply | undefined;
  readonly refusal: (RefusalDetail & { readonly raw?: string }) | undefined;
  readonly choices: readonly CollectedChoice[];
  readonly dropped: DroppedNodes | undefined;
  readonly templated: boolean;
}

export interface CollectedChoice {
  text: string;
  finish: LoomChoice['finish'] | undefined;
  withheld: boolean;
  readonly tokens: ModelToken[];
}

/** A call by the number of its first choice. */
export type NumberedCall = readonly [first: number, part: LoomCall];

export function mergeCalls(name: string, numberedCalls: readonly NumberedCall[]): LoomCompletion {
  const calls = numberedCalls.map(([, call]) => call);
  const failure = calls.find(({ refusal }) => refusal)?.refusal;
  const hasText = calls.some(({ called: reply, choices }) => reply || choices.some(({ text }) => text !== ''));
  if (failure && !hasText) {
    return { refusal: failure, ...(typeof failure.raw === 'string' && { raw: failure.raw }) };
  }
  const replies = calls.flatMap((each) => (each.called ? [each.called] : []));
  const [firstReply] = replies;
  const raws = calls.map((each) => each.called?.raw ?? each.refusal?.raw);
  const hasSeveral = calls.length > 1;
  const choices = numberedCalls
    .flatMap(([first, call], i) =>
      call.choices.map((choice, index) => ({ choice, number: first + index, raw: hasSeveral ? raws[i] : undefined })),
    )
    // A choice that broke off is kept only if it has text.
    .filter(({ choice: { text, finish } }) => text !== '' || finish === 'stop' || finish === 'length')
    .map(({ choice, number, raw }, index) => ({ ...toLoomChoice(choice, raw), ...(number !== index && { number }) }));
  const dropped = calls.find((each) => each.dropped)?.dropped;
  const { cost = 0, ...usage } = replies.map(usageOf).reduce(addUsage, { prompt: 0, generated: 0 });
  const raw = raws.find((each) => typeof each === 'string');
  return {
    model: name,
    choices,
    ...(firstReply?.label && { label: firstReply.label }),
    ...(firstReply && { prompt_hash: firstReply.promptHash }),
    ...(dropped && { dropped }),
    ...(calls.some(({ templated }) => templated) && { templated: true }),
    ...(firstReply?.seed !== undefined && { seed: firstReply.seed }),
    ...(failure && { error: { code: failure.code, message: failure.message } }),
    ...(raw !== undefined && { raw }),
    ...(replies.length > 0 && { usage, cost }),
  };
}

const MAX_TOKENS = 2_000;
const MAX_ALTERNATIVES = 10;

function toLoomChoice({ text, finish, withheld, tokens }: CollectedChoice, raw: string | undefined): LoomChoice {
  const rows = tokens.slice(0, MAX_TOKENS).map(({ text: token, logprob, alternatives }): TokenRow => {
    const others = alternatives
      .slice(0, MAX_ALTERNATIVES)
      .map((other): [string, number] => [storable(other.text), other.logprob]);
    return [
      storable(token),
      Number.isFinite(logprob) ? logprob : null,
      others.filter(([, value]) => Number.isFinite(value)),
    ];
  });
  const logprobs = tokens.filter(({ logprob }) => Number.isFinite(logprob)).map(({ logprob }) => logprob);
  return {
    content: storable(text),
    finish: finish ?? 'failed',
    ...(withheld && { withheld: true }),
    ...(rows.length > 0 && { tokens: rows }),
    ...(logprobs.length > 0 && { score: sum(logprobs) / logprobs.length }),
    ...(raw !== undefined && { raw }),
  };
}

/** Makes a text storable unchanged (L15): a model may write anything. */
function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
