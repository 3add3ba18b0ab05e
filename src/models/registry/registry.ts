import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import { DEFAULT_CURRENCY } from '../../core/text/money.ts';
import { getOwn } from '../../core/util/get-own.ts';
import type { Capabilities, Model } from '../model.ts';
import { listModelsOf, type OpenModel, offeredTo, openModel, readCapabilities } from '../open.ts';
import type { ServerListing } from '../remote/model-list.ts';
import { describeQuirks, withQuirks } from '../remote/quirks/quirks.ts';
import { createQuirkStore, type QuirkStorage } from './quirk-store.ts';
import { createRetirable, type RetirableModel } from './retirement.ts';
import {
  BUILTIN_MODELS,
  type ModelEntry,
  type ModelRole,
  modelRoles,
  type RegistrySettings,
  type RemoteServer,
  remoteServerSchema,
  type SpendingLimit,
} from './schema.ts';
import { apiKeyFor, healthOf, type ModelState, stateOf } from './state.ts';
import { unknownModel } from './unknown-model.ts';

/**
 * The facts about a model that are known without loading it. Never contains a key, only the place a key is read from.
 */
export interface ListedModel {
  readonly name: string;
  readonly entry: ModelEntry;
  /** Absent if only the model itself could tell, and it cannot be loaded. */
  readonly capabilities?: Capabilities;
  readonly state: ModelState;
  /** The quirks found in its server, as sentences. */
  readonly found: readonly string[];
  readonly defaultFor: readonly ModelRole[];
  /** Whether it is in the workspace's own settings, where it can be changed. */
  readonly written: boolean;
}

/** Writes settings permanently; if they cannot be written, it returns a refusal and changes nothing. */
export interface RegistryWriter {
  setBudget(limit: SpendingLimit): Refusal | undefined;
  setCurrency(code: string): Refusal | undefined;
  addModel(model: { name: string; entry: ModelEntry; defaultFor: readonly ModelRole[] }): Refusal | undefined;
  changeModel(name: string, set: Readonly<Record<string, unknown>>): Refusal | undefined;
  removeModel(name: string): { readonly entry: ModelEntry } | Refusal;
  setDefaults(defaults: RegistrySettings['defaults']): Refusal | undefined;
  /** Stores a model's key apart from the settings; an empty key removes it. */
  setKey(name: string, key: string): { readonly name: string; readonly where?: string } | Refusal;
}

export interface RegistryOptions {
  /** Called at every use, so that a change takes effect at once. */
  readonly settings?: () => RegistrySettings;
  /** The problem with the settings as currently written. */
  readonly problem?: () => string | undefined;
  readonly env?: NodeJS.ProcessEnv;
  /** Returns a key that a person typed in, by the name used in the settings. */
  readonly storedKey?: (name: string) => string | undefined;
  /** The base directory for paths in settings. */
  readonly directory?: string;
  readonly open?: OpenModel;
  /** Stores server quirks; without it they are forgotten when the process ends. */
  readonly quirks?: QuirkStorage;
  readonly writer?: RegistryWriter;
}

const DEFAULT_SETTINGS: RegistrySettings = { models: BUILTIN_MODELS, clients: {}, defaults: {}, budgets: {} };

/** The models of a workspace, by name (M1). A model is loaded when it is first used, and no earlier. */
export function createRegistry(options: RegistryOptions = {}) {
  const { settings: readSettings = () => DEFAULT_SETTINGS, problem = () => undefined, open = openModel } = options;
  const { env = process.env, directory = '.', storedKey } = options;
  const environment = { env, directory, ...(storedKey && { storedKey }) };
  const openModels = new Map<string, { readonly signature: string; readonly model: Promise<RetirableModel> }>();
  const retiring = new Set<Promise<unknown>>();
  const quirkStore = createQuirkStore(options.quirks);

  let lastSettings: RegistrySettings | undefined;
  let keys: readonly string[] = [];

  function settings(): RegistrySettings {
    const current = readSettings();
    if (current !== lastSettings) {
      lastSettings = current;
      for (const [name, { model }] of openModels) {
        if (Object.hasOwn(current.models, name)) continue;
        openModels.delete(name);
        retire(model);
      }
      collectKeys(current);
    }
    return current;
  }

  function collectKeys({ models }: RegistrySettings): void {
    const entryKeys = Object.values(models).map((entry) => apiKeyFor(entry, environment));
    keys = entryKeys.filter((key): key is string => key !== undefined && key !== '');
  }

  async function list(): Promise<readonly ListedModel[]> {
    const { models, written = [] } = settings();
    const entries = Object.entries(models).map(async ([name, modelEntry]) => {
      const declared = await readCapabilities(name, modelEntry, environment);
      const quirks = (await quirkStore.bookFor(modelEntry))?.quirks ?? {};
      const capabilities = declared && withQuirks(declared, quirks);
      const loaded = await openModels.get(name)?.model.catch(() => undefined);
      const state = (loaded && healthOf(loaded.model)) ?? stateOf(name, modelEntry, environment);
      const defaultRoles = modelRoles.filter((role) => defaultFor(role) === name);
      const fields = { name, entry: modelEntry, state, defaultFor: defaultRoles, written: written.includes(name) };
      const listed = { ...fields, found: describeQuirks(quirks) };
      return { ...listed, ...(capabilities && { capabilities }) };
    });
    return Promise.all(entries);
  }

  function entry(name: string): ModelEntry | Refusal {
    const { models } = settings();
    const modelEntry = getOwn(models, name);
    return modelEntry ?? unknownModel(name, Object.keys(models));
  }

  function defaultFor(role: ModelRole): string {
    return settings().defaults[role] ?? 'small';
  }

  /** Opens the model of this name, ready for requests; the caller does not close it. */
  async function openByName(name: string): Promise<Model | Refusal> {
    const modelEntry = entry(name);
    if (isRefusal(modelEntry)) return modelEntry;
    const state = stateOf(name, modelEntry, environment);
    if (state.code === 'key_missing') return refuse('model_unavailable', `"${name}" cannot be used: ${state.sentence}`);
    const key = apiKeyFor(modelEntry, environment);
    if (key !== undefined && !keys.includes(key)) collectKeys(settings());
    const signature = JSON.stringify([modelEntry, key]);
    const existing = openModels.get(name);
    if (existing?.signature === signature) return (await existing.model).model;
    if (existing) retire(existing.model);
    const model = openEntry(name, modelEntry).then(createRetirable);
    openModels.set(name, { signature, model });
    // A model that failed to load is tried again at the next request.
    model.catch(() => openModels.get(name)?.model === model && openModels.delete(name));
    return (await model).model;
  }

  async function openEntry(name: string, modelEntry: ModelEntry): Promise<Model> {
    const quirks = await quirkStore.bookFor(modelEntry);
    return open(name, modelEntry, { ...environment, ...(quirks && { quirks }) });
  }

  /** Callers still receiving an answer from a model that was changed meanwhile get the whole answer. */
  function retire(model: Promise<RetirableModel>) {
    const closing = model.then(
      ({ retire: retireModel }) => retireModel(),
      () => {},
    );
    retiring.add(closing);
    void closing.finally(() => retiring.delete(closing));
  }

  settings();
  return {
    list,
    entry,
    defaultFor,
    open: openByName,
    /** The models that this model's server lists. */
    async listServerModels(name: string, signal?: AbortSignal): Promise<readonly string[] | undefined> {
      const modelEntry = getOwn(settings().models, name);
      return modelEntry && offeredTo(name, modelEntry, environment, signal);
    },
    /** The models that a server lists which is not in the settings yet; a typed key is used once (M14). */
    async askServer(server: RemoteServer, key?: string): Promise<ServerListing | Refusal> {
      const { error } = remoteServerSchema.safeParse(server);
      const [issue] = error?.issues ?? [];
      if (issue) return refuse('malformed', `"${issue.path.join('.')}" ${issue.message}.`);
      return listModelsOf(server, environment, key);
    },
    /** Forgets the quirks of this model's server, so that they are found again (M14). */
    async forgetQuirks(name: string): Promise<void> {
      const modelEntry = getOwn(settings().models, name);
      if (modelEntry) (await quirkStore.bookFor(modelEntry))?.forget();
    },
    clients: cachePerTick(() => settings().clients),
    /** The models and clients that can run participants, by name. */
    runners: cachePerTick(() => {
      const { clients, models } = settings();
      return { clients: Object.keys(clients), models: Object.keys(models) };
    }),
    budgets: () => settings().budgets,
    /** The currency of prices and budgets, as an ISO 4217 code. */
    currency: () => settings().currency ?? DEFAULT_CURRENCY,
    /** Whether client programs run in a sandbox. */
    sandbox: () => settings().sandbox ?? 'auto',
    problem,
    /** The keys themselves, as of the last use, to be kept out of everything that is stored or shown (L17). */
    keys: () => keys,
    /** The settings writer, or the reason there is none. */
    writer: (): RegistryWriter | Refusal =>
      options.writer ?? refuse('forbidden', 'This workspace has no heddle.yaml to write to.'),
    async close() {
      const models = [...openModels.values()];
      openModels.clear();
      await Promise.all(models.map(({ model }) => model.then(({ close }) => close()).catch(() => {})));
      await Promise.all(retiring);
      await quirkStore.flush();
    },
  };
}

export type Registry = ReturnType<typeof createRegistry>;

/** Called for one participant after another, so one read of the files serves all of them. */
function cachePerTick<T>(compute: () => T): () => T {
  let cached: { readonly value: T } | undefined;
  return () => {
    if (!cached) {
      cached = { value: compute() };
      queueMicrotask(() => {
        cached = undefined;
      });
    }
    return cached.value;
  };
}
