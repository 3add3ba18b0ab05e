import { type Refusal, refuse } from '../core/refusal.ts';
import { closestName } from '../core/text/nearest.ts';
import { foldName, hasInvisible } from '../core/threads/participants/nicknames.ts';
import { participantId } from '../core/threads/schema.ts';
import type { EventLog } from '../log/event-log.ts';
import { PERSONA } from '../log/record-kinds.ts';
import type { Persona, PersonaChange, PersonaInput } from '../protocol/people.ts';

const MAX_PERSONAS = 200;

interface PersonasParts {
  readonly log: EventLog;
  /** True if the id is a person's: nobody else is ever run under it (T22). */
  isPerson(id: string): boolean;
  /** The models of the workspace; undefined if nobody knows them here. */
  modelNames(): readonly string[] | undefined;
}

/** Names, instructions and models for agents, to invite them anywhere (T38). What one says is in its invitation. */
export function createPersonas({ log, isPerson, modelNames }: PersonasParts) {
  let lastChange: Promise<unknown> = Promise.resolve();

  async function list(): Promise<readonly Persona[]> {
    return (await log.records(PERSONA)).map(({ value }) => JSON.parse(value));
  }

  async function find(id: string): Promise<Persona | Refusal> {
    const stored = await log.record(PERSONA, id.toLowerCase());
    if (stored !== undefined) return JSON.parse(stored);
    const names = (await list()).map((persona) => persona.id);
    const similar = closestName(id, names);
    const hint = similar ? `Did you mean "${similar}"?` : '"heddle personas" lists them.';
    return refuse('unknown_persona', `There is no persona "${id.slice(0, 64)}". ${hint}`);
  }

  /** One change after another, so that two at once do not undo each other. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = lastChange.then(work);
    lastChange = next.catch(() => {});
    return next;
  }

  const add = (input: PersonaInput) =>
    inTurn(async (): Promise<Persona | Refusal> => {
      const persona = { ...input, id: input.id ?? idFrom(input.name) };
      const others = await list();
      if (others.length >= MAX_PERSONAS)
        return refuse('limit_reached', `There are ${MAX_PERSONAS} personas. Remove one to add another.`);
      if (others.some(({ id }) => id.toLowerCase() === persona.id.toLowerCase()))
        return refuse(
          'conflict',
          `There is already a persona "${persona.id}". Change it, or give this one another ID.`,
        );
      return check(persona, others) ?? store(persona);
    });

  const change = (id: string, { set }: PersonaChange) =>
    inTurn(async (): Promise<Persona | Refusal> => {
      const current = await find(id);
      if ('refusal' in current) return current;
      const merged = Object.entries({ ...current, ...set }).filter(([, value]) => value !== null);
      const persona = Object.fromEntries(merged) as unknown as Persona;
      return check(persona, await list()) ?? store(persona);
    });

  const remove = (id: string) =>
    inTurn(async (): Promise<Persona | Refusal> => {
      const current = await find(id);
      if (!('refusal' in current)) await log.putRecords([{ kind: PERSONA, key: id.toLowerCase(), value: null }]);
      return current;
    });

  function check({ id, name, model }: Persona, others: readonly Persona[]): Refusal | undefined {
    if (!participantId.safeParse(id).success)
      return refuse('malformed', `"${id.slice(0, 64)}" is not a valid participant ID. Give the persona one with "id".`);
    if (isPerson(id)) return refuse('forbidden', `"${id}" is the ID of a person here. Give the persona another ID.`);
    if (hasInvisible(name) || foldName(name) === '')
      return refuse('malformed', 'A name must be one line without control or invisible characters.');
    const other = others.find((each) => each.id !== id && foldName(each.name) === foldName(name));
    if (other) return refuse('conflict', `The persona "${other.id}" already has this name. Choose another.`);
    const models = modelNames();
    if (model === undefined || !models || models.includes(model)) return undefined;
    return refuse(
      'unknown_model',
      `There is no model "${model}" in this workspace. The models are ${models.join(', ')}.`,
    );
  }

  async function store(persona: Persona): Promise<Persona> {
    await log.putRecords([{ kind: PERSONA, key: persona.id.toLowerCase(), value: JSON.stringify(persona) }]);
    return persona;
  }

  return { list, add, change, remove };
}

/** "Iris, the Gardener" is invited as iris-the-gardener. */
function idFrom(name: string): string {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = letters.split(/[^a-z0-9._]/).filter(Boolean);
  const slug = words
    .join('-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 64);
  return (slug.endsWith('-') ? slug.slice(0, -1) : slug) || 'persona';
}
