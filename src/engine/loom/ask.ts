import type { PromptNode } from '../../core/loom/generation/prompt.ts';
import type { Requested } from '../../core/loom/state.ts';
import { isRefusal, type Refusal, type RefusalDetail, refuse } from '../../core/refusal.ts';
import type { Chunk, Completion } from '../../models/model.ts';
import { faultOf, isPassing } from '../ask/faults.ts';
import { CALLED_OFF } from '../ask/outcome.ts';
import { askPatiently, type Patience, whyGivenUp } from '../ask/retry.ts';
import type { Called, CallOptions } from '../calls/calls.ts';
import type { Models } from '../calls/models.ts';
import { completionOf, droppedOf, onlyTheEnd, within } from './request.ts';
import { type Answer, answerOf, type Gathered, type Heard, type Numbered } from './result.ts';

/** A generation as it is to be asked for. */
export interface Wish {
  readonly request: Requested;
  readonly nodes: readonly PromptNode[];
  readonly suffix?: string;
}

export interface Asking {
  readonly thread: string;
  readonly signal: AbortSignal;
  /** The end of this process. */
  readonly stopping: AbortSignal;
  /** As they are now: they may be changed while the model is waited for (M7). */
  budgets(): Promise<NonNullable<CallOptions['budgets']>>;
  /** How a model that cannot answer now is waited for (W32). */
  readonly patience: Patience;
  /** Hears text as it comes. */
  told(choice: number, text: string): void;
  /** What was finished before, here or on a server that stopped, by the number of its first choice (W28). */
  readonly finished: ReadonlyMap<number, Part>;
  /** Keeps what is finished while the rest is still written. */
  keep(first: number, part: Part): Promise<void>;
}

/** One call and the choices it brought. */
export interface Part extends Heard {
  readonly model: string;
}

interface Outcome {
  readonly answer: Answer;
  /** Every choice was written to its end. */
  readonly isWhole: boolean;
  /** Which parts are kept, by the number of their first choice. */
  readonly parts: readonly number[];
}

/** Asks for every choice that is not there yet, in as many calls as the model needs; a broken stream keeps what came (W16). */
export async function ask(models: Models, name: string, wish: Wish, asking: Asking): Promise<Outcome> {
  const { finished } = asking;
  const { n, seed } = wish.request;
  if (lengthOf([...finished.values()]) >= n) return outcomeOf(name, [...finished]);
  const model = await models.registry.open(name).catch((error) => refuse('model_unavailable', String(error)));
  if (isRefusal(model)) return outcomeOf(name, [...finished, [n, brokenPart(model.refusal)]]);
  const { capabilities } = model;
  if (wish.suffix !== undefined && !capabilities.fillInTheMiddle) {
    const message = `"${name}" cannot fill in the middle. Ask without that, or choose a model that can.`;
    return outcomeOf(name, [...finished, [n, brokenPart({ code: 'malformed', message })]]);
  }
  const calls = partsOf(n, capabilities.n, finished);
  // Servers that are asked several times may begin at the same seed each time: each call has another (M11).
  const base = seed ?? (calls.length > 1 ? Math.floor(Math.random() * 2 ** 31) : undefined);
  const heard = await Promise.all(
    calls.map(async ({ first, n: some }): Promise<Numbered> => {
      const before = finished.get(first);
      if (before) return [first, before];
      const ownSeed = base === undefined ? undefined : base + Math.floor(first / capabilities.n);
      const request = completionOf(wish, capabilities, some, ownSeed);
      const told: Asking['told'] = (choice, text) => asking.told(first + choice, text);
      const part = await call(models, name, wish, request, { ...asking, told }, capabilities.context);
      if (isFinished(part)) await asking.keep(first, { ...part, model: name });
      return [first, part];
    }),
  );
  return outcomeOf(name, heard);
}

/** What there is of a generation that was stopped on a server that is gone: nothing is asked for any more (W28). */
export function outcomeOfStopped(name: string, finished: ReadonlyMap<number, Part>): Outcome {
  const nothing: Numbered = [0, brokenPart({ code: 'model_unavailable', message: CALLED_OFF })];
  return outcomeOf(name, finished.size > 0 ? [...finished] : [nothing]);
}

/** The calls that bring all choices: those that were finished before, and as few as the model needs for the others. */
function partsOf(n: number, most: number, finished: ReadonlyMap<number, Part>) {
  const parts: { readonly first: number; readonly n: number }[] = [];
  for (let first = 0; first < n; first += parts.at(-1)?.n ?? 1) {
    const before = finished.get(first)?.choices.length;
    const next = Math.min(n, ...[...finished.keys()].filter((other) => other > first));
    parts.push({ first, n: before ?? Math.min(most, next - first) });
  }
  return parts;
}

function lengthOf(parts: readonly Part[]): number {
  return parts.reduce((all, { choices }) => all + choices.length, 0);
}

function isFinished({ called, choices }: Heard): boolean {
  return called !== undefined && choices.every(({ finish }) => finish === 'stop' || finish === 'length');
}

function brokenPart(refusal: RefusalDetail): Heard {
  return { called: undefined, refusal, choices: [], dropped: undefined, templated: false };
}

function outcomeOf(name: string, parts: readonly Numbered[]): Outcome {
  const heard = parts.map(([, part]) => part);
  return {
    answer: answerOf(name, parts),
    isWhole: heard.every(isFinished),
    parts: parts.flatMap(([first, part]) => (isFinished(part) ? [first] : [])),
  };
}

async function call(
  models: Models,
  name: string,
  wish: Wish,
  request: Completion,
  { thread, signal, stopping, budgets, patience, told }: Asking,
  context: number,
): Promise<Heard> {
  const nodes = within(wish.nodes, context);
  let choices: Gathered[] = [];
  let templated = false;
  const { exploration } = wish.request;
  const options: CallOptions = {
    model: name,
    purpose: 'loom',
    thread,
    ...(exploration !== undefined && { run: exploration }),
    signal,
    stopping,
    isPatient: true,
    onChunk(chunk) {
      if (chunk.type === 'done') templated = chunk.templated === true;
      else take(choices, chunk, told);
    },
  };
  const complete = async (input: Parameters<typeof models.calls.complete>[0]): Promise<Called | Refusal> => {
    const { calls } = models;
    const ask = async () => {
      // Each try is heard from its beginning: an end of one before it is none of this one.
      choices = Array.from({ length: request.n ?? 1 }, gathered);
      return lastingIf(await calls.complete(input, { ...options, budgets: await budgets() }));
    };
    const { called } = await askPatiently(ask, patience, calls.recoveries);
    return called ?? refuse('model_unavailable', CALLED_OFF);
  };
  /** What broke off keeps what came (W16), and where nobody says when to ask again, the person decides. */
  const lastingIf = (called: Called | Refusal) =>
    isRefusal(called) && (choices.some(({ text }) => text !== '') || !isToWait(called)) ? withoutFault(called) : called;
  const whole = await complete(onlyTheEnd.fitting(wish, nodes, request));
  const cut = isRefusal(whole) && whole.refusal.code === 'context_too_small' && nodes.length > 0;
  const called = cut ? await complete(onlyTheEnd.cut(wish, nodes, request)) : whole;
  if (isRefusal(called)) {
    const message = whyGivenUp(called, 'A loom', 'generate again later.');
    const refusal = { ...called.refusal, message };
    return { called: undefined, refusal, choices, dropped: undefined, templated };
  }
  return { called, refusal: undefined, choices, dropped: droppedOf(wish.nodes, nodes, called, cut), templated };
}

/** A rate limit, or a server that says when to ask again. */
function isToWait(refused: Refusal): boolean {
  return isPassing(refused) && (refused.refusal.code === 'rate_limited' || faultOf(refused)?.afterMs !== undefined);
}

function withoutFault({ refusal: { fault: _, ...refusal } }: Refusal): Refusal {
  return { refusal };
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
