import { findProgram, programNameOf } from '../../agents/program/find-program.ts';
import { detectSandbox } from '../../agents/program/sandbox.ts';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import { type TrialResult, tryModel } from '../../engine/calls/trial.ts';
import type { NO_USAGE } from '../../engine/usage/usage.ts';
import type { ModelToken } from '../../models/model.ts';
import type { ListedModel, RegistryWriter } from '../../models/registry/registry.ts';
import { modelRoles } from '../../models/registry/schema.ts';
import { unknownModel } from '../../models/registry/unknown-model.ts';
import type { ModelTestLine, ModelTestResult, WireAgent, WireModel, WireUsage } from '../../protocol/wire.ts';
import type { RouteHandlers } from '../http/edge.ts';
import { createWorkLines } from '../streams/work-lines.ts';
import type { RouteContext } from './context.ts';

export function modelHandlers(context: RouteContext) {
  const { engine, models, secureCookies } = context;
  const streamWork = createWorkLines<ModelTestLine>(context);
  const { registry, usage } = models;
  return {
    async 'GET /api/models'() {
      const entries = await registry.list();
      const wireModels = await Promise.all(entries.map(describeModel));
      const problem = registry.problem();
      return JSON.stringify({ models: wireModels, currency: registry.currency(), ...(problem && { problem }) });
    },

    async 'GET /api/agents'() {
      const { kind, sentence } = await detectSandbox(registry.sandbox());
      const agents = Object.entries(registry.clients()).map(
        ([name, client]): WireAgent => ({
          name,
          adapter: client.adapter,
          here: findProgram(programNameOf(client)) !== undefined,
          sandbox: { kind, sentence },
        }),
      );
      return JSON.stringify({ agents });
    },

    /** Streams the texts, so that a slow model is visibly at work. */
    'POST /api/models/:model/test'(call) {
      const { model } = call.params;
      const entry = registry.entry(model);
      if (isRefusal(entry)) return entry;
      const { n, max_tokens: maxTokens, ...rest } = call.body;
      return streamWork(call, async (writeLine, signal) => {
        const onText = (choice: number, text: string) => writeLine({ choice, text });
        const trial = await tryModel(models, { model, n, maxTokens, ...rest, signal, onText });
        return isRefusal(trial) ? { error: trial.refusal } : { tested: testResultOf(trial) };
      });
    },

    async 'GET /api/usage'() {
      const [usageReport, threads] = await Promise.all([usage.report(), engine.index()]);
      const titles = new Map(threads.map(({ id, title }) => [id, title]));
      const titledThreads = usageReport.threads.map((row) => {
        const title = titles.get(row.thread);
        return title === undefined ? row : { ...row, title };
      });
      const { workspace = {}, thread = {}, run = {} } = registry.budgets();
      const settings = { budgets: { workspace, thread, run }, currency: registry.currency() };
      return JSON.stringify({ ...usageReport, threads: titledThreads, ...settings } satisfies WireUsage);
    },

    'POST /api/budgets/workspace'({ body }) {
      return writeSettings((writer) => writer.setBudget(body)) ?? JSON.stringify({ budget: body });
    },

    'POST /api/currency'({ body }) {
      const { currency } = body;
      const known = Intl.supportedValuesOf('currency');
      if (!known.includes(currency))
        return refuse('malformed', `"${currency}" is not the code of a currency. Use an ISO 4217 code, such as EUR.`);
      return writeSettings((writer) => writer.setCurrency(currency)) ?? JSON.stringify({ currency });
    },

    'POST /api/models'({ body }) {
      const { name, default_for: defaultFor } = body;
      const entry = body.entry as ListedModel['entry'];
      return (
        refuseRemote() ??
        writeSettings((writer) => writer.addModel({ name, entry, defaultFor }), body) ??
        renderModel(name)
      );
    },

    async 'POST /api/model-servers'({ body }) {
      const { key, ...server } = body;
      const refusal = refuseRemote();
      if (refusal) return refusal;
      const listing = await registry.askServer(server, key === '' ? undefined : key);
      return isRefusal(listing) ? listing : JSON.stringify(listing);
    },

    'POST /api/models/:model'({ params, body }) {
      const change = (writer: RegistryWriter) => writer.changeModel(params.model, body.set);
      return refuseRemote() ?? writeSettings(change, body) ?? renderModel(params.model);
    },

    async 'POST /api/models/:model/key'({ params, body }) {
      const refusal = refuseRemote();
      if (refusal) return refusal;
      const keyLocation = writeSettings((writer) => writer.setKey(params.model, body.key));
      if (isRefusal(keyLocation)) return keyLocation;
      const modelJson = await renderModel(params.model);
      return isRefusal(modelJson) ? modelJson : JSON.stringify({ ...JSON.parse(modelJson), where: keyLocation.where });
    },

    'DELETE /api/models/:model'({ params }) {
      const removal = writeSettings((writer) => writer.removeModel(params.model));
      return isRefusal(removal) ? removal : JSON.stringify({ name: params.model, ...removal });
    },

    'POST /api/defaults'({ body }) {
      const refusal = writeSettings((writer) => writer.setDefaults(body));
      if (refusal) return refusal;
      const [mind, auditor, loom] = modelRoles.map(registry.defaultFor);
      return JSON.stringify({ defaults: { mind, auditor, loom } });
    },
  } satisfies Partial<RouteHandlers>;

  /** Refuses remote callers, who could have a variable of their choice sent to an address of their choice (I17). */
  function refuseRemote(): Refusal | undefined {
    if (!secureCookies) return undefined;
    return refuse(
      'forbidden',
      'This server is open to other machines, so you can change its models only on its own machine: use "heddle models add" or "heddle models change" there.',
    );
  }

  /** Writes settings, but never a key of this workspace, in whatever field it arrives (L17). */
  function writeSettings<Result>(write: (writer: RegistryWriter) => Result, body: unknown = {}): Result | Refusal {
    const writer = registry.writer();
    if (isRefusal(writer)) return writer;
    return engine.secrets.check(JSON.stringify(body)) ?? write(writer);
  }

  async function renderModel(name: string): Promise<string | Refusal> {
    const entry = (await registry.list()).find((each) => each.name === name);
    if (!entry) return unknownModel(name, []);
    return JSON.stringify({ model: await describeModel(entry) });
  }

  async function describeModel(model: ListedModel): Promise<WireModel> {
    const { name, entry } = model;
    const [used, last] = await Promise.all([usage.of('model', name), models.calls.lastCall(name, entry)]);
    return { ...wireModelOf(model, used), ...(last && { last }) };
  }
}

function wireModelOf(
  { name, entry, capabilities, state, found, defaultFor, written }: ListedModel,
  usage: typeof NO_USAGE,
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
    used: usage,
  };
}

function testResultOf({ choices, usage, found, offered, ...rest }: TrialResult): ModelTestResult {
  return {
    ...rest,
    found: [...found],
    ...(offered && { offered: [...offered] }),
    usage: { ...usage, estimated: usage.estimated ?? false },
    choices: choices.map(({ text, reason, tokens }) => ({ text, reason, tokens: tokens.map(tokenProbabilities) })),
  };
}

function tokenProbabilities({
  text,
  logprob,
  alternatives,
}: ModelToken): ModelTestResult['choices'][number]['tokens'][number] {
  const alternativeTokens = alternatives.map((each) => ({ text: each.text, probability: Math.exp(each.logprob) }));
  return { text, probability: Math.exp(logprob), alternatives: alternativeTokens };
}
