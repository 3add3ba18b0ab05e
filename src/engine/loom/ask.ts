import type { TokenRow } from '../../core/loom/events.ts';
import type { PromptNode } from '../../core/loom/prompt.ts';
import type { Requested } from '../../core/loom/state.ts';
import { isRefusal, type RefusalDetail, refuse } from '../../core/refusal.ts';
import type { Chunk, Completion, Token } from '../../models/model.ts';
import type { Called, CallOptions } from '../calls.ts';
import type { Models } from '../models.ts';
import { completionOf, type Dropped, droppedOf, onlyTheEnd, within } from './fitting.ts';

/** A generation as it is to be asked for. */
export interface Wish {
  readonly request: Requested;
  readonly nodes: readonly PromptNode[];
  readonly suffix?: string;
}

export interface Asking {
  readonly thread: string;
  readonly signal: AbortSignal;
  readonly budgets: NonNullable<CallOptions['budgets']>;
  /** Hears text as it comes. */
  told(choice: number, text: string): void;
}

export interface Choice {
  readonly content: string;
  readonly finish: 'stop' | 'length' | 'cancelled' | 'failed';
  readonly withheld?: true;
  readonly tokens?: TokenRow[];
  readonly score?: number;
  readonly raw?: string;
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
interface Heard {
  readonly called: Called | undefined;
  readonly refusal: (RefusalDetail & { readonly raw?: string }) | undefined;
  readonly choices: readonly Gathered[];
  readonly dropped: Dropped | undefined;
  readonly templated: boolean;
}

interface Gathered {
  text: string;
  finish: Choice['finish'] | undefined;
  withheld: boolean;
  readonly tokens: Token[];
}

/** Asks for every choice, in as many calls as the model needs; an interrupted stream keeps what came (W16). */
export async function ask(models: Models, name: string, wish: Wish, asking: Asking): Promise<Answer> {
  const model = await models.registry.open(name).catch((error) => refuse('model_unavailable', String(error)));
  if (isRefusal(model)) return { refusal: model.refusal };
  const { capabilities } = model;
  if (wish.suffix !== undefined && !capabilities.fillInTheMiddle) {
    const message = `"${name}" cannot fill in the middle. Ask without that, or choose a model that can.`;
    return { refusal: { code: 'malformed', message } };
  }
  const { n, seed } = wish.request;
  const parts: { readonly first: number; readonly n: number }[] = [];
  for (let first = 0; first < n; first += capabilities.n) parts.push({ first, n: Math.min(capabilities.n, n - first) });
  const heard = await Promise.all(
    parts.map(({ first, n: some }, i) => {
      const request = completionOf(wish, capabilities, some, seed === undefined ? undefined : seed + i);
      return call(
        models,
        name,
        wish,
        request,
        { ...asking, told: (choice, text) => asking.told(first + choice, text) },
        capabilities.context,
      );
    }),
  );
  return answerOf(name, parts, heard);
}

async function call(
  models: Models,
  name: string,
  wish: Wish,
  request: Completion,
  { thread, signal, budgets, told }: Asking,
  context: number,
): Promise<Heard> {
  const nodes = within(wish.nodes, context);
  let choices: Gathered[] = Array.from({ length: request.n ?? 1 }, gathered);
  let templated = false;
  const { exploration } = wish.request;
  const options: CallOptions = {
    model: name,
    purpose: 'loom',
    thread,
    ...(exploration !== undefined && { run: exploration }),
    budgets,
    signal,
    onChunk(chunk) {
      if (chunk.type === 'done') templated = chunk.templated === true;
      else take(choices, chunk, told);
    },
  };
  const whole = await models.calls.complete(onlyTheEnd.fitting(wish, nodes, request), options);
  const cut = isRefusal(whole) && whole.refusal.code === 'context_too_small' && nodes.length > 0;
  if (cut) choices = Array.from({ length: request.n ?? 1 }, gathered);
  const called = cut ? await models.calls.complete(onlyTheEnd.cut(wish, nodes, request), options) : whole;
  if (isRefusal(called)) return { called: undefined, refusal: called.refusal, choices, dropped: undefined, templated };
  return { called, refusal: undefined, choices, dropped: droppedOf(wish.nodes, nodes, called, cut), templated };
}

function gathered(): Gathered {
  return { text: '', finish: undefined, withheld: false, tokens: [] };
}

function take(choices: readonly Gathered[], chunk: Chunk, told: Asking['told']) {
  if (chunk.type === 'done' || chunk.type === 'refused') return;
  const choice = choices[chunk.choice];
  if (!choice) return;
  if (chunk.type === 'end') {
    choice.finish = chunk.reason;
    choice.withheld = chunk.withheld === true;
    return;
  }
  choice.text += chunk.text;
  for (const token of chunk.tokens ?? []) choice.tokens.push(token);
  told(chunk.choice, chunk.text);
}

function answerOf(name: string, parts: readonly { readonly first: number }[], heard: readonly Heard[]): Answer {
  const broken = heard.find(({ refusal }) => refusal)?.refusal;
  const something = heard.some(({ called, choices }) => called || choices.some(({ text }) => text !== ''));
  if (broken && !something) {
    return { refusal: broken, ...(typeof broken.raw === 'string' && { raw: broken.raw }) };
  }
  const called = heard.flatMap((each) => (each.called ? [each.called] : []));
  const [first] = called;
  const raws = heard.map((each) => each.called?.raw ?? each.refusal?.raw);
  const several = parts.length > 1;
  const choices = heard.flatMap((each, i) =>
    each.choices
      // Of what was broken off only what had come is kept.
      .filter(({ text, finish }) => text !== '' || finish === 'stop' || finish === 'length')
      .map((choice) => choiceOf(choice, several ? raws[i] : undefined)),
  );
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
