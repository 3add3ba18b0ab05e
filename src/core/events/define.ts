import type { z } from 'zod';
import type { Actor, Event, EventMeta, Json, NewEvent, Recipients } from './event.ts';
import { type ReadableEvent, readEvent } from './read.ts';

/** Defines a type of event once: how to make, recognise and read one. */
export interface EventDefinition<Type extends string = string, Schema extends z.ZodType = z.ZodType> {
  readonly type: Type;
  /** The version that is written. Older versions are read through the upcasts of `read.ts`. */
  readonly v: number;
  /** Live types travel on the stream and are never stored (L4). */
  readonly durable: boolean;
  readonly schema: Schema;
  /** Schemas of the versions before `v`. Imported events are checked against them (L25). */
  readonly older: Readonly<Record<number, z.ZodType>>;
  /** The only way to make an event of this type. Undefined fields are left out. */
  of(thread: string, content: WithUndefined<z.infer<Schema>>, envelope?: NewEnvelope): NewEvent;
  /** Content of a new event of this type; undefined for any other type. */
  contentOf(fresh: NewEvent): z.infer<Schema> | undefined;
  /** Whether an event returned by `readEvent` is of this type. */
  is(event: Event<string, unknown>): event is EventOf<EventDefinition<Type, Schema>>;
  /** Reads a stored event of this type and upgrades it to the newest version; undefined for any other type. */
  read(stored: ReadableEvent): EventOf<EventDefinition<Type, Schema>> | undefined;
}

/** Fields that an event may set besides its content; the engine sets author, time and position in the log. */
export interface NewEnvelope {
  readonly from?: Actor;
  readonly to?: Recipients;
  readonly meta?: EventMeta;
}

/** An event as its definition describes it. */
export type EventOf<Definition> =
  Definition extends EventDefinition<infer Type, infer Schema> ? Event<Type, z.infer<Schema>> : never;

/** A live item as its definition describes it: only the type and content of an event. */
export type LiveItemOf<Definition> =
  Definition extends EventDefinition<infer Type, infer Schema>
    ? { readonly type: Type; readonly content: z.infer<Schema> }
    : never;

export type ContentOf<Definition> =
  Definition extends EventDefinition<infer _Type, infer Schema> ? z.infer<Schema> : never;

type WithUndefined<Content> = Content extends readonly unknown[]
  ? Content
  : Content extends object
    ? { [Key in keyof Content]: object extends Pick<Content, Key> ? Content[Key] | undefined : Content[Key] }
    : Content;

interface Versions<Schema> {
  readonly v?: number;
  readonly schema: Schema;
  readonly older?: Readonly<Record<number, z.ZodType>>;
}

export function defineEvent<Type extends string, Schema extends z.ZodType>(
  type: Type,
  { v = 1, schema, older = {} }: Versions<Schema>,
): EventDefinition<Type, Schema> {
  return define(type, { v, schema, older, durable: true });
}

/** Defines an item for clients that are connected now; it is never stored in a log. */
export function defineLiveItem<Type extends string, Schema extends z.ZodType>(
  type: Type,
  schema: Schema,
): EventDefinition<Type, Schema> {
  return define(type, { v: 1, schema, older: {}, durable: false });
}

function define<Type extends string, Schema extends z.ZodType>(
  type: Type,
  facts: Pick<EventDefinition<Type, Schema>, 'v' | 'schema' | 'older' | 'durable'>,
): EventDefinition<Type, Schema> {
  type Typed = EventOf<EventDefinition<Type, Schema>>;
  return {
    type,
    ...facts,
    is: (event): event is Typed => event.type === type,
    of: (thread, content, envelope) => ({ thread, type, content: withoutUndefined(content), ...envelope }),
    contentOf: (fresh) => (fresh.type === type ? (fresh.content as z.infer<Schema>) : undefined),
    read: (stored) => (stored.type === type ? readEvent<Typed>(stored) : undefined),
  };
}

function withoutUndefined(content: unknown): Json {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return content as Json;
  for (const key in content) {
    if ((content as Record<string, unknown>)[key] !== undefined) continue;
    return Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined)) as Json;
  }
  return content as Json;
}
