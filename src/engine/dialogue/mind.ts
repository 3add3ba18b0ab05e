import { randomInt } from 'node:crypto';
import { type MindInput, mindInput } from '../../core/dialogue/runs/mind-input.ts';
import type { Dialogue } from '../../core/dialogue/state.ts';
import type { Actor } from '../../core/events/event.ts';
import { isRefusal } from '../../core/refusal.ts';
import { dataLine } from '../../core/text/sanitize.ts';
import { own } from '../../core/util/get-own.ts';
import { type Command, modeState, type State } from '../../core/workspace.ts';
import { parseOutput } from '../../formats/mind/output.ts';
import { sha256 } from '../../log/seal.ts';
import type { Model } from '../../models/model.ts';
import type { Time } from '../../models/resilience/time.ts';
import {
  addUsage,
  both,
  budgetsIn,
  CALLED_OFF,
  CUT,
  failure,
  isWhole,
  type Mistake,
  type TokensUsed,
  unreadable,
  usageOf,
  WITHHELD,
} from '../ask/outcome.ts';
import { askPatiently, type Patience, reportWaits } from '../ask/retry.ts';
import type { CallOptions } from '../calls/calls.ts';
import type { Models } from '../calls/models.ts';
import type { Perform, Work } from '../jobs.ts';
import { report, reportKept } from '../report/report.ts';
import { openTextStream } from '../streaming/text-stream.ts';
import { PROMPT } from './prompts/prompts.ts';
import { frameFor, questionFor, shownOf } from './request.ts';

type DialogueWork = Work<State, Command>;
interface Wanted {
  readonly turn: number;
  readonly iter: number;
  readonly run: number;
}

/** One iteration of a mind: draw, show, ask, read, record (D3). */
export function createMind({ calls, registry, secrets, finished }: Models, time: Time): Perform<State, Command> {
  return async (job, work) => {
    const wanted = job.input as unknown as Wanted;
    const keep = { finished, job: job.key };
    if (await reportKept(work, keep)) return;
    const state = await work.state();
    const dialogue = modeState('dialogue', state);
    const open = dialogue?.open;
    if (!dialogue?.run || open?.turn !== wanted.turn) return;
    const actor: Actor = { id: dialogue.config.self, kind: 'agent' };
    const seed = randomInt(2 ** 31);
    const user = dataLine(own(state.thread.participants, open.by)?.profile.nickname ?? open.by, 64);
    const input = mindInput(dialogue, open, {
      seed,
      userTime: localTime(Date.now()),
      user,
      engagement: dialogue.engagement,
    });
    await work.present(actor, 'thinking');
    try {
      const { signal } = work;
      const onWait = reportWaits(
        work,
        actor,
        (now) => modeState('dialogue', now)?.run,
        (facts) => ({
          name: 'run_waits',
          input: { run: wanted.run, ...facts },
        }),
      );
      const patience = { time, signal, onWait };
      const outcome = await think(work, dialogue, input, { seed, job: job.key }, patience);
      // Called off with this server, or taken over by another: it is asked for again.
      if (outcome === undefined || (signal.aborted && !work.unwanted() && !isWhole(outcome))) return;
      const facts = { thread: work.thread, ...wanted, seed, ...outcome };
      await report(work, { actor, id: `${work.thread}/${job.key}`, command: { name: 'iterated', input: facts } }, keep);
    } finally {
      await work.present(actor, 'listening');
    }
  };

  async function think(
    work: DialogueWork,
    { config, run }: Dialogue,
    input: MindInput,
    { seed, job }: { readonly seed: number; readonly job: string },
    patience: Patience,
  ): Promise<Outcome | undefined> {
    const name = config.model ?? registry.defaultFor('mind');
    const prompt = config.prompt ?? PROMPT;
    const base = { prompt: sha256(prompt), model: name };
    const model = await registry.open(name);
    if (isRefusal(model)) return { ...base, ...emptyOutcome(), result: { ...failure(model), lasting: true } };

    const options: Options = {
      model: name,
      purpose: 'mind',
      thread: work.thread,
      run: `${work.thread}/${run?.run ?? 0}.${run?.resumed ?? 0}`,
      // The thread's may be changed while the mind waits; the run's only while no mind is asked.
      budgets: async () => ({ ...budgetsIn((await work.state()).thread), run: run?.budget }),
      signal: work.signal,
      stopping: work.stopping,
      isPatient: true,
      openStream: () => openTextStream(work.tell, { job, from: config.self, purpose: 'mind' }, secrets),
    };
    const first = await ask(model, prompt, input, options, config, patience, seed);
    if (!first) return undefined;
    if (first.mistake === undefined || work.signal.aborted) return { ...base, ...first.outcome };
    // One more try, with what was wrong (D11).
    const second = await ask(model, prompt, input, options, config, patience, seed + 1, first.mistake);
    return { ...base, ...(second ? both(first.outcome, second.outcome) : first.outcome) };
  }

  async function ask(
    model: Model,
    prompt: string,
    input: MindInput,
    options: Options,
    { temperature }: Dialogue['config'],
    patience: Patience,
    seed: number,
    mistake?: Mistake,
  ): Promise<{ outcome: HalfOutcome; mistake?: Mistake } | undefined> {
    const sampling = { seed, ...(temperature !== null && { temperature }) };
    const framed = model.capabilities.frame ? frameFor(input, sampling) : undefined;
    const request = framed?.request ?? questionFor(prompt, input, model.capabilities, sampling, mistake);
    const chat = async () => calls.chat(request, { ...options, budgets: await options.budgets() });
    const { called, latency_ms, wasted } = await askPatiently(chat, patience, calls.recoveries);
    if (!called) {
      // Nothing was paid for: it is as if it had never been asked.
      if (wasted.prompt + wasted.generated === 0) return undefined;
      return { outcome: { ...emptyOutcome(), usage: wasted, result: { error: CALLED_OFF } } };
    }
    if (isRefusal(called)) {
      const raw = called.refusal.raw as string | undefined;
      const blobs = raw === undefined ? {} : { blobs: [raw] };
      return { outcome: { ...emptyOutcome(), usage: wasted, latency_ms, result: failure(called), ...blobs } };
    }
    const facts = {
      ...shownOf(framed?.told ?? input, called.dropped),
      ...(called.label && { small: true as const }),
      usage: addUsage(wasted, usageOf(called)),
      latency_ms,
      blobs: [called.raw],
    };
    const [choice] = called.choices;
    if (!choice || choice.reason === 'cancelled') {
      return { outcome: { ...facts, result: { error: CALLED_OFF } } };
    }
    const cut = choice.reason === 'length' && !framed;
    const output = cut ? CUT : choice.withheld ? WITHHELD : parseOutput(choice.text);
    if ('malformed' in output) {
      const { result, mistake } = unreadable(choice.text, output);
      return { outcome: { ...facts, result }, mistake };
    }
    const { cleaned, thoughts, ...rest } = output;
    const empty = choice.text.trim() === '' && { empty: true as const };
    const result = { thoughts: [...thoughts], ...rest, ...empty };
    return { outcome: { ...facts, ...(cleaned && { cleaned }), result } };
  }
}

/** Budgets are those of the moment of each call (M7). */
type Options = Omit<CallOptions, 'budgets'> & { budgets(): Promise<NonNullable<CallOptions['budgets']>> };
type Iterated = Extract<Command, { name: 'iterated' }>['input'];
type Outcome = Omit<Iterated, 'thread' | 'turn' | 'iter' | 'run' | 'seed' | 'usage'> & { usage: TokensUsed };
type HalfOutcome = Omit<Outcome, 'prompt' | 'model'>;

/** Nothing was shown, because nobody could be asked. */
function emptyOutcome(): Pick<Outcome, 'shown' | 'usage' | 'latency_ms'> {
  const shown = { thoughts: [], recent: [], recalled: [], drafts: [], history: [], steer: 0 };
  return { shown, usage: { prompt: 0, generated: 0 }, latency_ms: 0 };
}

/** The wall clock where the mind runs, with its distance from UTC. */
function localTime(ms: number): string {
  const away = -new Date(ms).getTimezoneOffset();
  const local = new Date(ms + away * 60_000).toISOString().slice(0, 19);
  const [hours, minutes] = [Math.trunc(Math.abs(away) / 60), Math.abs(away) % 60].map((n) =>
    String(n).padStart(2, '0'),
  );
  return `${local}${away < 0 ? '-' : '+'}${hours}:${minutes}`;
}
