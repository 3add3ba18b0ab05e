import { programAt, programOf } from '../../agents/program-at.ts';
import { isRefusal } from '../../core/refusal.ts';
import { type Trial, tryModel } from '../../engine/trial.ts';
import type { NOTHING_USED } from '../../engine/usage.ts';
import type { Token } from '../../models/model.ts';
import type { Listed } from '../../models/registry.ts';
import type { ModelTested, TestLine, WireAgent, WireModel, WireUsage } from '../../protocol/wire.ts';
import type { Handlers } from '../edge.ts';
import { refusalOf } from '../errors.ts';
import { STREAMING } from '../exchange.ts';
import { DATA_HEADERS } from '../security.ts';
import type { Parts } from './parts.ts';

type ModelRoutes = Pick<
  Handlers,
  | 'GET /api/models'
  | 'GET /api/agents'
  | 'POST /api/models/:model/test'
  | 'GET /api/usage'
  | 'POST /api/budgets/workspace'
>;

const LINES = { ...DATA_HEADERS, 'content-type': 'application/jsonl; charset=utf-8', 'x-accel-buffering': 'no' };

export function modelRoutes({ engine, models, stopping, report }: Parts): ModelRoutes {
  const { registry, usage } = models;
  return {
    async 'GET /api/models'() {
      const listed = await registry.list();
      const shown = await Promise.all(listed.map(async (each) => shownOf(each, await usage.of('model', each.name))));
      const problem = registry.problem();
      return JSON.stringify({ models: shown, ...(problem && { problem }) });
    },

    'GET /api/agents'() {
      const agents = Object.entries(registry.clients()).map(
        ([name, client]): WireAgent => ({
          name,
          adapter: client.adapter,
          here: programAt(programOf(client)) !== undefined,
        }),
      );
      return JSON.stringify({ agents });
    },

    /** The texts as they come, so that a slow model is seen to be at work. */
    'POST /api/models/:model/test'({ inbound, params, body }) {
      const known = registry.entry(params.model);
      if (isRefusal(known)) return known;
      const leaving = new AbortController();
      const sink = inbound.stream(LINES, () => leaving.abort());
      const say = (line: TestLine) => sink.write(Buffer.from(engine.secrets.remove(`${JSON.stringify(line)}\n`)));
      const { n, max_tokens: maxTokens, ...rest } = body;
      const signal = AbortSignal.any([leaving.signal, stopping]);
      const onText = (choice: number, text: string) => say({ choice, text });
      void tryModel(models, { model: params.model, n, maxTokens, ...rest, signal, onText })
        .then((tried) => say(isRefusal(tried) ? { error: tried.refusal } : { tested: testedOf(tried) }))
        .catch((error) => say({ error: errorOf(error) }))
        .finally(() => sink.end());
      return STREAMING;
    },

    async 'GET /api/usage'() {
      const [used, threads] = await Promise.all([usage.report(), engine.index()]);
      const titles = new Map(threads.map(({ id, title }) => [id, title]));
      const named = used.threads.map((row) => {
        const title = titles.get(row.thread);
        return title === undefined ? row : { ...row, title };
      });
      const { workspace = {}, thread = {}, run = {} } = registry.budgets();
      const answer: WireUsage = {
        total: used.total,
        models: [...used.models],
        threads: named,
        days: [...used.days],
        budgets: { workspace, thread, run },
      };
      return JSON.stringify(answer);
    },

    'POST /api/budgets/workspace'({ body }) {
      return registry.saveBudget(body) ?? JSON.stringify({ budget: body });
    },
  };

  function errorOf(error: unknown): Extract<TestLine, { error: unknown }>['error'] {
    const refused = refusalOf(error);
    if (refused) return refused.refusal;
    report(engine.secrets.remove(error instanceof Error ? (error.stack ?? error.message) : String(error)));
    return { code: 'internal', message: 'Something went wrong in the server; its own output says what.' };
  }
}

function shownOf({ name, entry, capabilities, state, defaultFor }: Listed, used: typeof NOTHING_USED): WireModel {
  return {
    name,
    provider: entry.provider,
    ...('model' in entry && { model: entry.model }),
    ...('base_url' in entry && { base_url: entry.base_url }),
    ...('api_key_env' in entry && { api_key_env: entry.api_key_env }),
    ...('price' in entry && { price: entry.price }),
    ...(capabilities && { capabilities }),
    state,
    default_for: [...defaultFor],
    used,
  };
}

function testedOf({ choices, usage, ...rest }: Trial): ModelTested {
  return {
    ...rest,
    usage: { ...usage, estimated: usage.estimated ?? false },
    choices: choices.map(({ text, reason, tokens }) => ({ text, reason, tokens: tokens.map(tokenOf) })),
  };
}

function tokenOf({ text, logprob, alternatives }: Token): ModelTested['choices'][number]['tokens'][number] {
  const others = alternatives.map((each) => ({ text: each.text, probability: Math.exp(each.logprob) }));
  return { text, probability: Math.exp(logprob), alternatives: others };
}
