import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent, Caps, ClientSettings, NoReply, Question, Reply, Tokens } from '../../agents/agent.ts';
import { agentFor } from '../../agents/clients.ts';
import type { Refusal } from '../../core/refusal.ts';
import type { EventLog } from '../../log/event-log.ts';
import { AGENT_SESSION } from '../../log/record-kinds.ts';
import { type Budgeted, firstReached, usedOf } from '../budgets.ts';
import type { Models } from '../models.ts';
import type { Answered, Answerer, Asked } from './coordinator.ts';
import { outcomeOf, transcript } from './transcript.ts';

export interface CommandParts {
  readonly log: EventLog;
  /** Their registry names the clients, and what these use is counted with what models use. */
  readonly models: Pick<Models, 'registry' | 'usage'>;
  /** Each agent works in a directory of its own in here. */
  readonly directory: string;
  readonly caps?: Caps;
}

const CAPS: Caps = { seconds: 600, bytes: 1024 * 1024 };

/** Answers by running a command-line agent, which goes on from what it said before in the same thread (I10). */
export function createByCommand({ log, models, directory, caps = CAPS }: CommandParts): Answerer {
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
        title: asked.state.thread.title,
        prompt,
      };
      const going = known && news !== undefined ? { session: known.session, news } : undefined;

      // 2. Ask it, once more from the beginning where it has forgotten.
      const agent = agentFor(settings);
      const ask = (more: Pick<Question, 'going'>) =>
        agent.ask(
          { ...question, ...more },
          {
            directory: placeFor(asked.participant),
            caps: { ...caps, ...(settings.seconds !== undefined && { seconds: settings.seconds }) },
            signal: asked.signal,
          },
        );
      let reply = await ask(going ? { going } : {});
      if ('failed' in reply && reply.lost && going) reply = await ask({});

      // 3. Count and remember.
      if (!('cancelled' in reply)) await count(name, asked.thread, reply);
      if ('text' in reply && reply.session !== undefined) {
        const value = JSON.stringify({ session: reply.session, heard });
        await log.putRecords([{ kind: AGENT_SESSION, key, value }]);
      }
      return answered(name, agent, reply);
    },
  };

  function clientOf(participant: string, { thread }: Asked['state']): readonly [string, ClientSettings] | undefined {
    const name = thread.participants[participant]?.profile.client ?? '';
    const clients = registry.clients();
    return Object.hasOwn(clients, name) ? [name, clients[name] as ClientSettings] : undefined;
  }

  /** What an agent will use nobody knows beforehand: none is started once a budget is used up (M7). */
  async function budgetReached({ thread, state }: Asked): Promise<Refusal | undefined> {
    const all = registry.budgets();
    const { tokens, money } = { ...all.thread, ...state.thread.budget };
    const budgets: readonly Budgeted[] = [
      {
        scope: 'thread',
        id: thread,
        limit: { ...(tokens !== undefined && { tokens }), ...(money !== undefined && { money }) },
      },
      { scope: 'workspace', id: 'all', limit: all.workspace ?? {} },
    ];
    return firstReached(budgets, await usedOf(usage, budgets), () => ({ tokens: 0, money: 0 }));
  }

  async function count(name: string, thread: string, reply: Reply | NoReply) {
    const { promptTokens, generatedTokens, cost = 0 }: Tokens = ('text' in reply && reply.usage) || NO_TOKENS;
    const failures = 'text' in reply ? 0 : 1;
    await usage.add({ model: `client:${name}`, thread, calls: 1, failures, promptTokens, generatedTokens, cost });
  }

  function placeFor(participant: string): string {
    const place = join(directory, participant);
    mkdirSync(place, { recursive: true, mode: 0o700 });
    return place;
  }
}

const NO_TOKENS: Tokens = { promptTokens: 0, generatedTokens: 0 };

function sessionIn(record: string | undefined): { readonly session: string; readonly heard: number } | undefined {
  return record === undefined ? undefined : JSON.parse(record);
}

function answered(client: string, agent: Agent, reply: Reply | NoReply): Answered {
  if ('cancelled' in reply) return { outcome: 'cancelled' };
  if ('failed' in reply) return { outcome: 'failed', reason: withoutKeys(reply.failed, agent), usage: { client } };
  const { resumed, cut, usage } = reply;
  return outcomeOf(withoutKeys(reply.text, agent), {
    client,
    resumed,
    ...(cut && { cut }),
    ...(usage && {
      prompt_tokens: usage.promptTokens,
      generated_tokens: usage.generatedTokens,
      ...(usage.cost !== undefined && { cost: usage.cost }),
    }),
  });
}

/** A key that the agent was given is not repeated, whatever it prints (L17). */
function withoutKeys(text: string, { environment }: Agent): string {
  const keys = environment
    .filter((name) => /KEY|TOKEN|SECRET|PASSWORD/.test(name))
    .map((name) => process.env[name] ?? '');
  return keys.reduce((clean, key) => (key.length < 8 ? clean : clean.replaceAll(key, '[removed]')), text);
}
