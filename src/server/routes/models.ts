import { programAt, programOf } from '../../agents/program/find-program.ts';
import { sandboxFor } from '../../agents/program/sandbox.ts';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import { type Trial, tryModel } from '../../engine/calls/trial.ts';
import type { NOTHING_USED } from '../../engine/usage/usage.ts';
import type { Token } from '../../models/model.ts';
import type { Listed, RegistryWriter } from '../../models/registry/registry.ts';
import { roles } from '../../models/registry/schema.ts';
import { unknownModel } from '../../models/registry/unknown-model.ts';
import type { ModelTested, TestLine, WireAgent, WireModel, WireUsage } from '../../protocol/wire.ts';
import type { Handlers } from '../http/edge.ts';
import { faultLine, refusalOf } from '../http/errors.ts';
import { STREAMING } from '../http/request.ts';
import { DATA_HEADERS } from '../http/security.ts';
import type { Parts } from './context.ts';

type ModelRoutes = Pick<
  Handlers,
  | 'GET /api/models'
  | 'GET /api/agents'
  | 'POST /api/models/:model/test'
  | 'GET /api/usage'
  | 'POST /api/budgets/workspace'
  | 'POST /api/models'
  | 'POST /api/models/:model'
  | 'POST /api/models/:model/key'
  | 'DELETE /api/models/:model'
  | 'POST /api/defaults'
>;

const LINES = { ...DATA_HEADERS, 'content-type': 'application/jsonl; charset=utf-8', 'x-accel-buffering': 'no' };

export function modelRoutes({ engine, models, credentials, secureCookies, stopping, report }: Parts): ModelRoutes {
  const { registry, usage } = models;
  return {
    async 'GET /api/models'() {
      const listed = await registry.list();
      const shown = await Promise.all(listed.map(async (each) => shownOf(each, await usage.of('model', each.name))));
      const problem = registry.problem();
      return JSON.stringify({ models: shown, ...(problem && { problem }) });
    },

    async 'GET /api/agents'() {
      const { kind, sentence } = await sandboxFor(registry.sandbox());
      const agents = Object.entries(registry.clients()).map(
        ([name, client]): WireAgent => ({
          name,
          adapter: client.adapter,
          here: programAt(programOf(client)) !== undefined,
          sandbox: { kind, sentence },
        }),
      );
      return JSON.stringify({ agents });
    },

    /** The texts as they come, so that a slow model is seen to be at work. */
    'POST /api/models/:model/test'({ inbound, params, body, session }) {
      const known = registry.entry(params.model);
      if (isRefusal(known)) return known;
      const leaving = new AbortController();
      const sink = inbound.stream(LINES, () => leaving.abort());
      const say = (line: TestLine) => sink.write(Buffer.from(engine.secrets.remove(`${JSON.stringify(line)}\n`)));
      const { n, max_tokens: maxTokens, ...rest } = body;
      const revocation = credentials.revocation(session.token, session.credential);
      const signal = AbortSignal.any([leaving.signal, stopping, revocation]);
      const onText = (choice: number, text: string) => say({ choice, text });
      tryModel(models, { model: params.model, n, maxTokens, ...rest, signal, onText })
        .then((tried) => say(isRefusal(tried) ? { error: tried.refusal } : { tested: testedOf(tried) }))
        .catch((error) => say({ error: errorOf(error) }))
        .catch((error) => report(faultLine(error)))
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
      return written((writer) => writer.setBudget(body)) ?? JSON.stringify({ budget: body });
    },

    'POST /api/models'({ body }) {
      const { name, default_for: defaultFor } = body;
      const entry = body.entry as Listed['entry'];
      return fromElsewhere() ?? written((writer) => writer.addModel({ name, entry, defaultFor }), body) ?? named(name);
    },

    'POST /api/models/:model'({ params, body }) {
      const change = (writer: RegistryWriter) => writer.changeModel(params.model, body.set);
      return fromElsewhere() ?? written(change, body) ?? named(params.model);
    },

    async 'POST /api/models/:model/key'({ params, body }) {
      const refused = fromElsewhere();
      if (refused) return refused;
      const writer = registry.writer();
      const kept = isRefusal(writer) ? writer : writer.setKey(params.model, body.key);
      if (isRefusal(kept)) return kept;
      const shown = await named(params.model);
      return isRefusal(shown) ? shown : JSON.stringify({ ...JSON.parse(shown), where: kept.where });
    },

    'DELETE /api/models/:model'({ params }) {
      const writer = registry.writer();
      const removed = isRefusal(writer) ? writer : writer.removeModel(params.model);
      return isRefusal(removed) ? removed : JSON.stringify({ name: params.model, ...removed });
    },

    'POST /api/defaults'({ body }) {
      const refused = written((writer) => writer.setDefaults(body));
      if (refused) return refused;
      const [mind, auditor, loom] = roles.map(registry.defaultFor);
      return JSON.stringify({ defaults: { mind, auditor, loom } });
    },
  };

  /** Who names a variable and an address has the one sent to the other: not for whoever comes from another machine (I17). */
  function fromElsewhere(): Refusal | undefined {
    if (!secureCookies) return undefined;
    return refuse(
      'forbidden',
      'This server lets other machines in, so what its models are asked with is decided where it runs: use "heddle models add" or "heddle models change" there.',
    );
  }

  /** A key of this workspace is not written, in whatever field it came (L17). */
  function written(write: (writer: RegistryWriter) => Refusal | undefined, body: unknown = {}): Refusal | undefined {
    const writer = registry.writer();
    if (isRefusal(writer)) return writer;
    return engine.secrets.check(JSON.stringify(body)) ?? write(writer);
  }

  async function named(name: string): Promise<string | Refusal> {
    const listed = (await registry.list()).find((each) => each.name === name);
    if (!listed) return unknownModel(name, []);
    return JSON.stringify({ model: shownOf(listed, await usage.of('model', name)) });
  }

  function errorOf(error: unknown): Extract<TestLine, { error: unknown }>['error'] {
    const refused = refusalOf(error);
    if (refused) return refused.refusal;
    report(faultLine(error));
    return { code: 'internal', message: 'Something went wrong in the server; its own output says what.' };
  }
}

function shownOf(
  { name, entry, capabilities, state, found, defaultFor, written }: Listed,
  used: typeof NOTHING_USED,
): WireModel {
  return {
    name,
    provider: entry.provider,
    ...('model' in entry && { model: entry.model }),
    ...('base_url' in entry && { base_url: entry.base_url }),
    ...('api_key_env' in entry && { api_key_env: entry.api_key_env }),
    ...('price' in entry && { price: entry.price }),
    ...(capabilities && { capabilities }),
    ...('extra' in entry && { extra: entry.extra }),
    state,
    found: [...found],
    default_for: [...defaultFor],
    written,
    used,
  };
}

function testedOf({ choices, usage, found, offered, ...rest }: Trial): ModelTested {
  return {
    ...rest,
    found: [...found],
    ...(offered && { offered: [...offered] }),
    usage: { ...usage, estimated: usage.estimated ?? false },
    choices: choices.map(({ text, reason, tokens }) => ({ text, reason, tokens: tokens.map(tokenOf) })),
  };
}

function tokenOf({ text, logprob, alternatives }: Token): ModelTested['choices'][number]['tokens'][number] {
  const others = alternatives.map((each) => ({ text: each.text, probability: Math.exp(each.logprob) }));
  return { text, probability: Math.exp(logprob), alternatives: others };
}
