import type { Origin } from '../origin.ts';
import type { AuditFacts, MessageRef } from '../threads/audit/audit.ts';

/** A JSON value: what an event's content is made of. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type ParticipantKind = 'human' | 'agent' | 'automation';

/** Who acts. Comes from the credential, never from a field (T6). */
export interface Actor {
  readonly id: string;
  readonly kind: ParticipantKind;
}

/** The workspace itself, where it writes by itself (T12). */
export const SYSTEM: Actor = { id: 'system', kind: 'automation' };

/** `all`, one participant or several. */
export type Recipients = string | readonly string[];

export interface EventMeta {
  readonly reply_to?: string;
  readonly tags?: readonly string[];
  /** What kind of participant wrote this, so that a fold needs no other source. */
  readonly by?: ParticipantKind;
  /** The client-chosen id of the command that appended this event. */
  readonly command?: string;
  /** The event that led automation to write this one. */
  readonly cause?: { readonly root: string; readonly depth: number };
  /** The profile in this invitation is the server's: from a credential, or from what a human said of the id (T22). */
  readonly profiled?: true;
  /** An agent invited an id of which nobody has said what it is (T13). */
  readonly bare?: true;
  /** Names that a message mentions and nobody in the thread goes by (T27). */
  readonly unknown?: readonly string[];
  /** Blobs this event refers to, by the SHA-256 of their content. */
  readonly blobs?: readonly string[];
  /** The human who posted this draft for whoever wrote it (T19), and which draft it was. */
  readonly accepted_by?: string;
  readonly draft?: number;
  /** Where its words were brought from. */
  readonly origin?: Origin;
  /** What an audit of a thread rests on (T21); a draft of one also has all it was shown, as its text may still change. */
  readonly audit?: AuditFacts & { readonly seen?: readonly MessageRef[] };
}

/** One append-only record (L2). What it holds is typed by its definition (`define.ts`). */
export interface Event<Type extends string = string, Content = Json> {
  readonly id: string;
  readonly ts: string;
  readonly thread: string;
  readonly seq: number;
  readonly type: Type;
  readonly from: string;
  readonly to: Recipients;
  readonly content: Content;
  readonly meta: EventMeta;
  readonly v: number;
  readonly hash: string;
  /** It came in by an import: no part of its text, but told with it by whoever reads it (L25). */
  readonly imported?: true;
}

/** Whoever wrote an event, as others are told: nobody of an import is shown as somebody of this workspace. */
export function authorLabelOf({
  from,
  imported,
}: {
  readonly from: string;
  readonly imported?: true | undefined;
}): string {
  return imported ? `${from} (imported)` : from;
}

/** What `decide` returns: the engine adds id, time, seq, author and hash. */
export interface NewEvent {
  readonly thread: string;
  /** Where it is another's word that the actor passes on. */
  readonly from?: Actor;
  readonly type: string;
  readonly to?: Recipients;
  readonly content: Json;
  readonly meta?: EventMeta;
}
