import { chmodSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { createAgent } from '../../agents/adapters.ts';
import type { Agent, AgentCaps, AgentQuestion, AgentReply, AgentUsage } from '../../agents/agent.ts';
import { resolveUsage } from '../../agents/usage.ts';
import type { Refusal } from '../../core/refusal.ts';
import { sanitizeLine } from '../../core/text/sanitize.ts';
import { getOwn } from '../../core/util/get-own.ts';
import type { EventLog } from '../../log/event-log.ts';
import { AGENT_SESSION } from '../../log/record-kinds.ts';
import type { ClientEntry } from '../../models/registry/schema.ts';
import { budgetsIn } from '../ask/outcome.ts';
import type { Models } from '../calls/models.ts';
import { storeWithRetry } from '../report/store.ts';
import { activeBudgets, checkBudgets, usageOfBudgets } from '../usage/budgets.ts';
import type { Answerer, Invocation } from './coordinator.ts';
import { buildTranscript, parseAnswer } from './transcript.ts';

export interface CommandAnswererParts {
  readonly log: EventLog;
  /** The registry names the clients; what clients use is added to what models use. */
  readonly models: Pick<Models, 'registry' | 'usage'>;
  readonly place: ProgramsPlace;
  readonly caps?: AgentCaps;
}

export interface ProgramsPlace {
  /** Each agent works in a directory of its own in here. */
  readonly directory: string;
  readonly hidden: readonly string[];
  /** Called before each start; throws if the directory cannot be used. */
  prepare?(): void;
}

const CAPS: AgentCaps = { seconds: 600, bytes: 1024 * 1024 };

/** Answers by running a command-line agent, which resumes its earlier session in the same thread (I10). */
export function createCommandAnswerer({ log, models, place, caps = CAPS }: CommandAnswererParts): Answerer {
  const { registry, usage } = models;

  return {
    serves: (participant, state) => clientOf(participant, state) !== undefined,

    async answer(invocation) {
      const client = clientOf(invocation.participant, invocation.state);
      if (!client)
        return { outcome: 'failed', reason: `heddle.yaml no longer names a client for ${invocation.participant}.` };
      const [name, settings] = client;
      const refusal = await checkThreadBudget(invocation);
      if (refusal) return { outcome: 'failed', reason: refusal.refusal.message };

      // 1. Load the session and build the prompt.
      const key = `${invocation.thread}/${invocation.participant}`;
      const session = parseSession(await log.record(AGENT_SESSION, key));
      const { prompt, news, lastSeq } = await buildTranscript(log, invocation, session?.heard);
      const question = {
        participant: invocation.participant,
        thread: invocation.thread,
        title: sanitizeLine(invocation.state.thread.title),
        prompt,
      };
      const continuation = session && news !== undefined ? { session: session.session, news } : undefined;

      // 2. Ask; if the agent has lost its session, ask again with the whole prompt.
      const agent = createAgent(settings);
      const directory = prepareDirectory(invocation.participant);
      if (typeof directory !== 'string') return { outcome: 'failed', ...directory };
      const ask = (extra: Pick<AgentQuestion, 'resume'>) =>
        agent.ask(
          { ...question, ...extra },
          {
            directory,
            caps: { ...caps, ...(settings.seconds !== undefined && { seconds: settings.seconds }) },
            signal: invocation.signal,
            hidden: place.hidden,
            sandbox: registry.sandbox(),
          },
        );
      const startedAt = performance.now();
      let reply = await ask(continuation ? { resume: continuation } : {});
      const isRetry = 'failed' in reply && reply.lost && continuation !== undefined;
      if (isRetry) reply = await ask({});
      const seconds = (performance.now() - startedAt) / 1000;

      // 3. Record the usage and the session.
      if ('cancelled' in reply) return { outcome: 'cancelled' };
      const sentPrompt = continuation && !isRetry ? continuation.news : prompt;
      const tokens =
        'text' in reply
          ? resolveUsage(usageSince(reply, session), { input: sentPrompt, output: reply.text, seconds })
          : NO_TOKENS;
      await recordUsage(name, invocation, tokens, 'failed' in reply);
      if ('failed' in reply)
        return { outcome: 'failed', reason: redactKeys(reply.failed, agent), usage: { client: name } };
      if (reply.session !== undefined) {
        const value = JSON.stringify({
          session: reply.session,
          heard: lastSeq,
          ...(reply.usage?.ofSession && { used: reply.usage }),
        });
        await storeWithRetry(() => log.putRecords([{ kind: AGENT_SESSION, key, value }]), invocation.stopping);
      }
      return {
        ...parseAnswer(redactKeys(reply.text, agent)),
        usage: {
          client: name,
          resumed: reply.resumed,
          ...(reply.cut && { cut: true }),
          prompt_tokens: tokens.promptTokens,
          generated_tokens: tokens.generatedTokens,
          ...(tokens.cost !== undefined && { cost: tokens.cost }),
          ...('estimated' in tokens && { estimated: true }),
        },
      };
    },
  };

  function clientOf(participant: string, { thread }: Invocation['state']): readonly [string, ClientEntry] | undefined {
    const name = getOwn(thread.participants, participant)?.profile.client ?? '';
    const clients = registry.clients();
    return Object.hasOwn(clients, name) ? [name, clients[name] as ClientEntry] : undefined;
  }

  /** An agent's usage cannot be predicted, so none starts once a budget is used up (M7). */
  async function checkThreadBudget({ thread, state }: Invocation): Promise<Refusal | undefined> {
    const budgets = activeBudgets({ thread, budgets: budgetsIn(state.thread) }, registry.budgets(), false);
    return checkBudgets(
      budgets,
      await usageOfBudgets(usage, budgets),
      () => ({ tokens: 0, money: 0 }),
      registry.currency(),
    );
  }

  async function recordUsage(
    name: string,
    { thread, state, stopping }: Invocation,
    { promptTokens, generatedTokens, cost = 0 }: AgentUsage,
    hasFailed: boolean,
  ) {
    const failures = hasFailed ? 1 : 0;
    const payer = state.thread.madeFor?.payer?.thread;
    const totals = { calls: 1, failures, promptTokens, generatedTokens, cost };
    // Add only once: usage that could not be written stays queued for the next write.
    const write = usage.add({ model: `client:${name}`, thread, payer, ...totals });
    await write.catch(() => storeWithRetry(usage.flush, stopping));
  }

  function prepareDirectory(participant: string): string | { readonly reason: string } {
    try {
      place.prepare?.();
      const directory = join(place.directory, participant);
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      chmodSync(directory, 0o700);
      return realpathSync(directory);
    } catch (error) {
      return { reason: `It has no working directory: ${(error as Error).message}` };
    }
  }
}

const NO_TOKENS: AgentUsage = { promptTokens: 0, generatedTokens: 0 };

/** An agent's own session id, the last event it was shown, and its usage up to then. */
interface AgentSession {
  readonly session: string;
  readonly heard: number;
  readonly used?: AgentUsage;
}

function parseSession(record: string | undefined): AgentSession | undefined {
  return record === undefined ? undefined : JSON.parse(record);
}

/** The usage of this answer alone, even if the agent reports totals for its session. */
function usageSince({ usage, resumed }: AgentReply, session: AgentSession | undefined): AgentUsage | undefined {
  if (!usage) return undefined;
  const previous = (usage.ofSession && resumed && session?.used) || NO_TOKENS;
  return {
    ...usage,
    promptTokens: Math.max(0, usage.promptTokens - previous.promptTokens),
    generatedTokens: Math.max(0, usage.generatedTokens - previous.generatedTokens),
  };
}

/** Removes keys that the agent received from whatever it prints (L17). */
function redactKeys(text: string, { environment }: Agent): string {
  const keys = environment
    .filter((name) => /KEY|TOKEN|SECRET|PASSWORD/.test(name))
    .map((name) => process.env[name] ?? '');
  return keys.reduce((clean, key) => (key.length < 8 ? clean : clean.replaceAll(key, '[removed]')), text);
}
