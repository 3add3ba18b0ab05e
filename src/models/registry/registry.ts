import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import { own } from '../../core/util/get-own.ts';
import type { Capabilities, Model } from '../model.ts';
import { declaredBy, type OpenModel, offeredTo, openModel } from '../open.ts';
import { describeQuirks, withQuirks } from '../remote/quirks/quirks.ts';
import { createRemembered, type QuirkStore } from './quirk-store.ts';
import { createRetiring, type Retiring } from './retirement.ts';
import { ALWAYS_THERE, type Limit, type ModelEntry, type RegistrySettings, type Role, roles } from './schema.ts';
import { healthOf, keyFor, type ModelState, stateOf } from './state.ts';
import { unknownModel } from './unknown-model.ts';

/** What is known of a model without loading it. Never a key: only where one is looked for. */
export interface Listed {
  readonly name: string;
  readonly entry: ModelEntry;
  /** Absent where only the model itself could say, and it cannot be loaded. */
  readonly capabilities?: Capabilities;
  readonly state: ModelState;
  /** What was found out about its server, in sentences. */
  readonly found: readonly string[];
  readonly defaultFor: readonly Role[];
  /** It stands in the workspace's own settings, where it can be changed. */
  readonly written: boolean;
}

/** Writes settings where they last; what cannot be written is refused, and nothing is changed. */
export interface RegistryWriter {
  setBudget(limit: Limit): Refusal | undefined;
  addModel(model: { name: string; entry: ModelEntry; defaultFor: readonly Role[] }): Refusal | undefined;
  changeModel(name: string, set: Readonly<Record<string, unknown>>): Refusal | undefined;
  removeModel(name: string): { readonly entry: ModelEntry } | Refusal;
  setDefaults(defaults: RegistrySettings['defaults']): Refusal | undefined;
  /** Stores the key of a model, apart from the settings; an empty one is taken away. */
  setKey(name: string, key: string): { readonly name: string; readonly where?: string } | Refusal;
}

export interface RegistryParts {
  /** Asked anew at every use, so that a change holds from then on. */
  readonly settings?: () => RegistrySettings;
  /** What is wrong with the settings as they are written now. */
  readonly problem?: () => string | undefined;
  readonly env?: NodeJS.ProcessEnv;
  /** A key that was typed in, by the name that settings give it. */
  readonly storedKey?: (name: string) => string | undefined;
  /** Where paths in settings begin. */
  readonly directory?: string;
  readonly open?: OpenModel;
  /** Keeps what was found out about servers; without one it is forgotten at the end. */
  readonly quirks?: QuirkStore;
  readonly writer?: RegistryWriter;
}

const NO_SETTINGS: RegistrySettings = { models: ALWAYS_THERE, clients: {}, defaults: {}, budgets: {} };

/** The models of a workspace, by name (M1). A model is loaded when it is first used, and no earlier. */
export function createRegistry(parts: RegistryParts = {}) {
  const { settings: read = () => NO_SETTINGS, problem = () => undefined, open = openModel } = parts;
  const { env = process.env, directory = '.', storedKey } = parts;
  const surroundings = { env, directory, ...(storedKey && { storedKey }) };
  const opened = new Map<string, { readonly as: string; readonly model: Promise<Retiring> }>();
  const retired = new Set<Promise<unknown>>();
  const remembered = createRemembered(parts.quirks);

  let last: RegistrySettings | undefined;
  let keys: readonly string[] = [];

  function settings(): RegistrySettings {
    const now = read();
    if (now !== last) {
      last = now;
      for (const [name, { model }] of opened) {
        if (Object.hasOwn(now.models, name)) continue;
        opened.delete(name);
        retire(model);
      }
      gatherKeys(now);
    }
    return now;
  }

  function gatherKeys({ models }: RegistrySettings): void {
    const found = Object.values(models).map((entry) => keyFor(entry, surroundings));
    keys = found.filter((key): key is string => key !== undefined && key !== '');
  }

  async function list(): Promise<readonly Listed[]> {
    const { models, written = [] } = settings();
    const listing = Object.entries(models).map(async ([name, found]) => {
      const declared = await declaredBy(name, found, surroundings);
      const quirks = (await remembered.bookFor(found))?.known ?? {};
      const capabilities = declared && withQuirks(declared, quirks);
      const asked = await opened.get(name)?.model.catch(() => undefined);
      const state = (asked && healthOf(asked.model)) ?? stateOf(name, found, surroundings);
      const usedFor = roles.filter((role) => defaultFor(role) === name);
      const known = { name, entry: found, state, defaultFor: usedFor, written: written.includes(name) };
      const about = { ...known, found: describeQuirks(quirks) };
      return { ...about, ...(capabilities && { capabilities }) };
    });
    return Promise.all(listing);
  }

  function entry(name: string): ModelEntry | Refusal {
    const { models } = settings();
    const found = own(models, name);
    return found ?? unknownModel(name, Object.keys(models));
  }

  function defaultFor(role: Role): string {
    return settings().defaults[role] ?? 'small';
  }

  /** The model of this name, ready to be asked; the caller does not close it. */
  async function openNamed(name: string): Promise<Model | Refusal> {
    const found = entry(name);
    if (isRefusal(found)) return found;
    const state = stateOf(name, found, surroundings);
    if (state.code === 'key_missing')
      return refuse('model_unavailable', `"${name}" cannot be asked: ${state.sentence}`);
    const key = keyFor(found, surroundings);
    if (key !== undefined && !keys.includes(key)) gatherKeys(settings());
    const as = JSON.stringify([found, key]);
    const held = opened.get(name);
    if (held?.as === as) return (await held.model).model;
    if (held) retire(held.model);
    const model = opening(name, found).then(createRetiring);
    opened.set(name, { as, model });
    // What could not be loaded is tried again by the next who asks.
    model.catch(() => opened.get(name)?.model === model && opened.delete(name));
    return (await model).model;
  }

  async function opening(name: string, found: ModelEntry): Promise<Model> {
    const quirks = await remembered.bookFor(found);
    return open(name, found, { ...surroundings, ...(quirks && { quirks }) });
  }

  /** Whoever is still being answered by a model that was changed meanwhile gets the whole answer. */
  function retire(model: Promise<Retiring>) {
    const closed = model.then(
      ({ retire: end }) => end(),
      () => {},
    );
    retired.add(closed);
    void closed.finally(() => retired.delete(closed));
  }

  settings();
  return {
    list,
    entry,
    defaultFor,
    open: openNamed,
    /** What the server of this model says it has. */
    async offered(name: string, signal?: AbortSignal): Promise<readonly string[] | undefined> {
      const found = own(settings().models, name);
      return found && offeredTo(name, found, surroundings, signal);
    },
    /** What was found out about the server of this model is found out again (M14). */
    async forgetQuirks(name: string): Promise<void> {
      const found = own(settings().models, name);
      if (found) (await remembered.bookFor(found))?.forget();
    },
    clients: oncePerStep(() => settings().clients),
    /** What participants can be run by, by name. */
    runners: oncePerStep(() => {
      const { clients, models } = settings();
      return { clients: Object.keys(clients), models: Object.keys(models) };
    }),
    budgets: () => settings().budgets,
    /** Whether the programs of clients run in a sandbox. */
    sandbox: () => settings().sandbox ?? 'auto',
    problem,
    /** The keys themselves, as of the last use, to be kept out of everything that is stored or shown (L17). */
    keys: () => keys,
    /** Who writes settings, or why nobody does. */
    writer: (): RegistryWriter | Refusal =>
      parts.writer ?? refuse('forbidden', 'This workspace has no heddle.yaml to write to.'),
    async close() {
      const models = [...opened.values()];
      opened.clear();
      await Promise.all(models.map(({ model }) => model.then(({ close }) => close()).catch(() => {})));
      await Promise.all(retired);
      await remembered.settled();
    },
  };
}

export type Registry = ReturnType<typeof createRegistry>;

/** Asked of participant after participant: one look at the files is enough for all of them. */
function oncePerStep<T>(look: () => T): () => T {
  let seen: { readonly value: T } | undefined;
  return () => {
    if (!seen) {
      seen = { value: look() };
      queueMicrotask(() => {
        seen = undefined;
      });
    }
    return seen.value;
  };
}
