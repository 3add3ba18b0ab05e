import { randomInt } from 'node:crypto';
import type { DialogueInputOf } from '../../core/dialogue/commands.ts';
import { buildMindInput, type DialogueMindInput } from '../../core/dialogue/runs/mind-input.ts';
import type { Dialogue } from '../../core/dialogue/state.ts';
import type { Actor } from '../../core/events/event.ts';
import { isRefusal } from '../../core/refusal.ts';
import { sanitizeLine } from '../../core/text/sanitize.ts';
import { getOwn } from '../../core/util/get-own.ts';
import { type Command, modeState, type State } from '../../core/workspace.ts';
import { parseMindOutput } from '../../formats/mind/output.ts';
import { sha256 } from '../../log/seal.ts';
import type { Model } from '../../models/model.ts';
import type { Time } from '../../models/resilience/time.ts';
import {
  addUsage,
  budgetsIn,
  CANCELLED,
  failureOf,
  isUsable,
  type Mistake,
  malformedOutcome,
  mergeAttempts,
  type TokenUsage,
  TRUNCATED,
  usageOf,
  WITHHELD,
} from '../ask/outcome.ts';
import { askWithRetry, createRunWaitReporter, type RetryPolicy } from '../ask/retry.ts';
import type { CallOptions } from '../calls/calls.ts';
import type { Models } from '../calls/models.ts';
import type { JobContext, PerformJob } from '../jobs.ts';
import { report, reportPending } from '../report/report.ts';
import { openTextStream } from '../streaming/text-stream.ts';
import { PROMPT } from './prompts/prompts.ts';
import { buildFrameRequest, buildMindRequest, shownIds } from './request.ts';

type DialogueJobContext = JobContext<State, Command>;
type IterationTarget = Pick<DialogueInputOf<'iterated'>, 'turn' | 'iter' | 'run'>;

/** One iteration of a mind: draw, show, ask, read, record (D3). */
export function createMind(
  { calls, registry, secrets, pendingResults }: Models,
  time: Time,
): PerformJob<State, Command> {
  return async (job, context) => {
    const target = job.input as IterationTarget;
    const slot = { pendingResults, job: job.key };
    if (await reportPending(context, slot)) return;
    const state = await context.state();
    const dialogue = modeState('dialogue', state);
    const openTurn = dialogue?.open;
    if (!dialogue?.run || openTurn?.turn !== target.turn) return;
    const actor: Actor = { id: dialogue.config.self, kind: 'agent' };
    const seed = randomInt(2 ** 31);
    const user = sanitizeLine(getOwn(state.thread.participants, openTurn.by)?.profile.nickname ?? openTurn.by, 64);
    const input = buildMindInput(dialogue, openTurn, {
      seed,
      userTime: localTime(Date.now()),
      user,
      engagement: dialogue.engagement,
    });
    await context.setPresence(actor, 'thinking');
    try {
      const { signal } = context;
      const onWait = createRunWaitReporter(
        context,
        actor,
        (current) => modeState('dialogue', current)?.run,
        (facts) => ({
          name: 'run_waits',
          input: { run: target.run, ...facts },
        }),
      );
      const retryPolicy = { time, signal, onWait };
      const outcome = await runIteration(context, dialogue, input, { seed, job: job.key }, retryPolicy);
      // Called off with this server, or taken over by another: it is asked for again.
      if (outcome === undefined || (signal.aborted && !context.isUnwanted() && !isUsable(outcome))) return;
      const facts = { thread: context.thread, ...target, seed, ...outcome };
      await report(
        context,
        { actor, id: `${context.thread}/${job.key}`, command: { name: 'iterated', input: facts } },
        slot,
      );
    } finally {
      await context.setPresence(actor, 'listening');
    }
  };

  async function runIteration(
    context: DialogueJobContext,
    { config, run }: Dialogue,
    input: DialogueMindInput,
    { seed, job }: { readonly seed: number; readonly job: string },
    retryPolicy: RetryPolicy,
  ): Promise<IterationOutcome | undefined> {
    const name = config.model ?? registry.defaultFor('mind');
    const prompt = config.prompt ?? PROMPT;
    const base = { prompt: sha256(prompt), model: name };
    const model = await registry.open(name);
    if (isRefusal(model)) return { ...base, ...emptyOutcome(), result: { ...failureOf(model), lasting: true } };

    const options: IterationOptions = {
      model: name,
      purpose: 'mind',
      thread: context.thread,
      run: `${context.thread}/${run?.run ?? 0}.${run?.resumed ?? 0}`,
      // The thread's may be changed while the mind waits; the run's only while no mind is asked.
      budgets: async () => ({ ...budgetsIn((await context.state()).thread), run: run?.budget }),
      signal: context.signal,
      stopping: context.stopping,
      isPatient: true,
      openStream: () => openTextStream(context.sendLive, { job, from: config.self, purpose: 'mind' }, secrets),
    };
    const first = await ask(model, prompt, input, options, config, retryPolicy, seed);
    if (!first) return undefined;
    if (first.mistake === undefined || context.signal.aborted) return { ...base, ...first.outcome };
    // One more try, with what was wrong (D11).
    const second = await ask(model, prompt, input, options, config, retryPolicy, seed + 1, first.mistake);
    return { ...base, ...(second ? mergeAttempts(first.outcome, second.outcome) : first.outcome) };
  }

  async function ask(
    model: Model,
    prompt: string,
    input: DialogueMindInput,
    options: IterationOptions,
    { temperature }: Dialogue['config'],
    retryPolicy: RetryPolicy,
    seed: number,
    mistake?: Mistake,
  ): Promise<{ outcome: IterationAttempt; mistake?: Mistake } | undefined> {
    const sampling = { seed, ...(temperature !== null && { temperature }) };
    const frameRequest = model.capabilities.frame ? buildFrameRequest(input, sampling) : undefined;
    const request = frameRequest?.request ?? buildMindRequest(prompt, input, model.capabilities, sampling, mistake);
    const chat = async () => calls.chat(request, { ...options, budgets: await options.budgets() });
    const { reply, latency_ms, wastedUsage } = await askWithRetry(chat, retryPolicy, calls.recoveries);
    if (!reply) {
      // Nothing was paid for: it is as if it had never been asked.
      if (wastedUsage.prompt + wastedUsage.generated === 0) return undefined;
      return { outcome: { ...emptyOutcome(), usage: wastedUsage, result: { error: CANCELLED } } };
    }
    if (isRefusal(reply)) {
      const raw = reply.refusal.raw as string | undefined;
      const blobs = raw === undefined ? {} : { blobs: [raw] };
      return { outcome: { ...emptyOutcome(), usage: wastedUsage, latency_ms, result: failureOf(reply), ...blobs } };
    }
    const facts = {
      ...shownIds(frameRequest?.shown ?? input, reply.dropped),
      ...(reply.label && { small: true as const }),
      usage: addUsage(wastedUsage, usageOf(reply)),
      latency_ms,
      blobs: [reply.raw],
    };
    const [choice] = reply.choices;
    if (!choice || choice.reason === 'cancelled') {
      return { outcome: { ...facts, result: { error: CANCELLED } } };
    }
    const isTruncated = choice.reason === 'length' && !frameRequest;
    const output = isTruncated ? TRUNCATED : choice.withheld ? WITHHELD : parseMindOutput(choice.text);
    if ('malformed' in output) {
      const { result, mistake } = malformedOutcome(choice.text, output);
      return { outcome: { ...facts, result }, mistake };
    }
    const { cleaned, thoughts, ...rest } = output;
    const empty = choice.text.trim() === '' && { empty: true as const };
    const result = { thoughts: [...thoughts], ...rest, ...empty };
    return { outcome: { ...facts, ...(cleaned && { cleaned }), result } };
  }
}

/** Budgets are those of the moment of each call (M7). */
type IterationOptions = Omit<CallOptions, 'budgets'> & { budgets(): Promise<NonNullable<CallOptions['budgets']>> };
type IterationInput = Extract<Command, { name: 'iterated' }>['input'];
type IterationOutcome = Omit<IterationInput, 'thread' | 'turn' | 'iter' | 'run' | 'seed' | 'usage'> & {
  usage: TokenUsage;
};
type IterationAttempt = Omit<IterationOutcome, 'prompt' | 'model'>;

/** Nothing was shown, because nobody could be asked. */
function emptyOutcome(): Pick<IterationOutcome, 'shown' | 'usage' | 'latency_ms'> {
  const shown = { thoughts: [], recent: [], recalled: [], drafts: [], history: [], steer: 0 };
  return { shown, usage: { prompt: 0, generated: 0 }, latency_ms: 0 };
}

/** The wall clock where the mind runs, with its distance from UTC. */
function localTime(ms: number): string {
  const offset = -new Date(ms).getTimezoneOffset();
  const local = new Date(ms + offset * 60_000).toISOString().slice(0, 19);
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60].map((n) =>
    String(n).padStart(2, '0'),
  );
  return `${local}${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
}
