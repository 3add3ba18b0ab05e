import { chmodSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { agentFor } from '../../agents/adapters.ts';
import type { Agent, Caps, ClientSettings, Question, Reply, Tokens } from '../../agents/agent.ts';
import { tokensUsed } from '../../agents/usage.ts';
import type { Refusal } from '../../core/refusal.ts';
import { dataLine } from '../../core/text/sanitize.ts';
import { own } from '../../core/util/get-own.ts';
import type { EventLog } from '../../log/event-log.ts';
import { AGENT_SESSION } from '../../log/record-kinds.ts';
import type { Limit } from '../../models/registry/schema.ts';
import { budgetsIn } from '../ask/outcome.ts';
import type { Models } from '../calls/models.ts';
import { untilStored } from '../report/store.ts';
import { type Budgeted, firstReached, usedOf } from '../usage/budgets.ts';
import type { Answerer, Asked } from './coordinator.ts';
import { outcomeOf, transcript } from './transcript.ts';

export interface CommandParts {
  readonly log: EventLog;
  /** Their registry names the clients, and what these use is counted with what models use. */
  readonly models: Pick<Models, 'registry' | 'usage'>;
  readonly place: ProgramsPlace;
  readonly caps?: Caps;
}

export interface ProgramsPlace {
  /** Each agent works in a directory of its own in here. */
  readonly directory: string;
  /** What none of them is to see. */
  readonly hidden: readonly string[];
  /** Called before one is started; throws where the place cannot be used. */
  prepare?(): void;
}

const CAPS: Caps = { seconds: 600, bytes: 1024 * 1024 };

/** Answers by running a command-line agent, which goes on from what it said before in the same thread (I10). */
export function createByCommand({ log, models, place, caps = CAPS }: CommandParts): Answerer {
  const { registry, usage } = models;

  return {
    serves: (participant, state) => clientOf(participant, state) !== undefined,

    async answer(asked) {
      const client = clientOf(asked.participant, asked.state);
      if (!client)
        return { outcome: 'failed', reason: `heddle.yaml no longer names a client for ${asked.participant}.` };
      const [name, settings] = client;
      const spent = await budgetReached(asked);
      if (spent) return { outcome: 'failed', reason: spent.refusal.message };

      // 1. What it knows already, and what it is told.
      const key = `${asked.thread}/${asked.participant}`;
      const known = sessionIn(await log.record(AGENT_SESSION, key));
      const { prompt, news, heard } = await transcript(log, asked, known?.heard);
      const question = {
        participant: asked.participant,
        thread: asked.thread,
        title: dataLine(asked.state.thread.title),
        prompt,
      };
      const going = known && news !== undefined ? { session: known.session, news } : undefined;

      // 2. Ask it, once more from the beginning where it has forgotten.
      const agent = agentFor(settings);
      const directory = placeFor(asked.participant);
      if (typeof directory !== 'string') return { outcome: 'failed', ...directory };
      const ask = (more: Pick<Question, 'going'>) =>
        agent.ask(
          { ...question, ...more },
          {
            directory,
            caps: { ...caps, ...(settings.seconds !== undefined && { seconds: settings.seconds }) },
            signal: asked.signal,
            hidden: place.hidden,
            sandbox: registry.sandbox(),
          },
        );
      const began = performance.now();
      let reply = await ask(going ? { going } : {});
      const isAgain = 'failed' in reply && reply.lost && going !== undefined;
      if (isAgain) reply = await ask({});
      const seconds = (performance.now() - began) / 1000;

      // 3. Count and remember.
      if ('cancelled' in reply) return { outcome: 'cancelled' };
      const sent = going && !isAgain ? going.news : prompt;
      const used = 'text' in reply ? tokensUsed(since(reply, known), { sent, said: reply.text, seconds }) : NO_TOKENS;
      await count(name, asked, used, 'failed' in reply);
      if ('failed' in reply)
        return { outcome: 'failed', reason: withoutKeys(reply.failed, agent), usage: { client: name } };
      if (reply.session !== undefined) {
        const value = JSON.stringify({
          session: reply.session,
          heard,
          ...(reply.usage?.ofSession && { used: reply.usage }),
        });
        await untilStored(() => log.putRecords([{ kind: AGENT_SESSION, key, value }]), asked.stopping);
      }
      return outcomeOf(withoutKeys(reply.text, agent), {
        client: name,
        resumed: reply.resumed,
        ...(reply.cut && { cut: true }),
        prompt_tokens: used.promptTokens,
        generated_tokens: used.generatedTokens,
        ...(used.cost !== undefined && { cost: used.cost }),
        ...('estimated' in used && { estimated: true }),
      });
    },
  };

  function clientOf(participant: string, { thread }: Asked['state']): readonly [string, ClientSettings] | undefined {
    const name = own(thread.participants, participant)?.profile.client ?? '';
    const clients = registry.clients();
    return Object.hasOwn(clients, name) ? [name, clients[name] as ClientSettings] : undefined;
  }

  /** What an agent will use nobody knows beforehand: none is started once a budget is used up (M7). */
  async function budgetReached({ thread, state }: Asked): Promise<Refusal | undefined> {
    const all = registry.budgets();
    const own = budgetsIn(state.thread);
    const budgets: readonly Budgeted[] = [
      { scope: 'thread', id: thread, limit: { ...all.thread, ...own.thread } as Limit },
      ...(own.payer
        ? [
            {
              scope: 'thread' as const,
              id: own.payer.thread,
              limit: { ...all.thread, ...own.payer.limit } as Limit,
            },
          ]
        : []),
      { scope: 'workspace', id: 'all', limit: all.workspace ?? {} },
    ];
    return firstReached(budgets, await usedOf(usage, budgets), () => ({ tokens: 0, money: 0 }));
  }

  async function count(
    name: string,
    { thread, state, stopping }: Asked,
    { promptTokens, generatedTokens, cost = 0 }: Tokens,
    failed: boolean,
  ) {
    const failures = failed ? 1 : 0;
    const payer = state.thread.madeFor?.payer?.thread;
    const counted = { calls: 1, failures, promptTokens, generatedTokens, cost };
    // Added once: what could not be written waits there for the next write.
    const added = usage.add({ model: `client:${name}`, thread, payer, ...counted });
    await added.catch(() => untilStored(usage.flush, stopping));
  }

  function placeFor(participant: string): string | { readonly reason: string } {
    try {
      place.prepare?.();
      const own = join(place.directory, participant);
      mkdirSync(own, { recursive: true, mode: 0o700 });
      chmodSync(own, 0o700);
      return realpathSync(own);
    } catch (error) {
      return { reason: `It has no directory to work in: ${(error as Error).message}` };
    }
  }
}

const NO_TOKENS: Tokens = { promptTokens: 0, generatedTokens: 0 };

/** What an agent calls its talk in a thread, up to where it was told it, and what it had used by then. */
interface Session {
  readonly session: string;
  readonly heard: number;
  readonly used?: Tokens;
}

function sessionIn(record: string | undefined): Session | undefined {
  return record === undefined ? undefined : JSON.parse(record);
}

/** What this answer used, also of an agent that adds up. */
function since({ usage, resumed }: Reply, known: Session | undefined): Tokens | undefined {
  if (!usage) return undefined;
  const before = (usage.ofSession && resumed && known?.used) || NO_TOKENS;
  return {
    ...usage,
    promptTokens: Math.max(0, usage.promptTokens - before.promptTokens),
    generatedTokens: Math.max(0, usage.generatedTokens - before.generatedTokens),
  };
}

/** A key that the agent was given is not repeated, whatever it prints (L17). */
function withoutKeys(text: string, { environment }: Agent): string {
  const keys = environment
    .filter((name) => /KEY|TOKEN|SECRET|PASSWORD/.test(name))
    .map((name) => process.env[name] ?? '');
  return keys.reduce((clean, key) => (key.length < 8 ? clean : clean.replaceAll(key, '[removed]')), text);
}
