import type { Attachment } from '../attachments/attachment.ts';
import type { Origin } from '../origin.ts';
import type { AuditFacts, MessageRef } from '../threads/audit/audit.ts';

/** A JSON value: event content consists of these. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type ParticipantKind = 'human' | 'agent' | 'automation';

/** The participant that acts. It comes from the credential, never from a field (T6). */
export interface Actor {
  readonly id: string;
  readonly kind: ParticipantKind;
}

/** The workspace itself, as the author of the events it writes on its own (T12). */
export const SYSTEM: Actor = { id: 'system', kind: 'automation' };

/** `all`, one participant or several. */
export type Recipients = string | readonly string[];

export interface EventMeta {
  readonly reply_to?: string;
  readonly tags?: readonly string[];
  /** The kind of participant that wrote this event, so that a fold needs no other source. */
  readonly by?: ParticipantKind;
  /** The client-chosen id of the command that appended this event. */
  readonly command?: string;
  /** The event that caused automation to write this one. */
  readonly cause?: { readonly root: string; readonly depth: number };
  /**
   * The profile in this invitation comes from the server: from a credential, or from what a human said about the id
   * (T22).
   */
  readonly profiled?: true;
  /** An agent invited this id, and nobody has described it yet (T13). */
  readonly bare?: true;
  /** Names mentioned in a message that match nobody in the thread (T27). */
  readonly unknown?: readonly string[];
  /** Blobs this event refers to, by the SHA-256 of their content. */
  readonly blobs?: readonly string[];
  /** Files that the author attached (I27). */
  readonly attachments?: readonly Attachment[];
  /** The human who posted this draft on behalf of its author (T19), and the index of the draft. */
  readonly accepted_by?: string;
  readonly draft?: number;
  /** The place that the text was brought from. */
  readonly origin?: Origin;
  /**
   * The sources of an audit (T21). A draft of an audit also lists all messages the auditor saw, as its text may still
   * change.
   */
  readonly audit?: AuditFacts & { readonly seen?: readonly MessageRef[] };
}

/** One append-only record (L2). Its definition (`define.ts`) gives the content its type. */
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
  /**
   * The event was imported. This flag is not part of the event's text, but readers get it along with the event (L25).
   */
  readonly imported?: true;
}

/** The author of an event as others see it: an imported author is never shown as a participant of this workspace. */
export function authorLabelOf({
  from,
  imported,
}: {
  readonly from: string;
  readonly imported?: true | undefined;
}): string {
  return imported ? `${from} (imported)` : from;
}

/** An event as `decide` returns it: the engine adds id, time, seq, author and hash. */
export interface NewEvent {
  readonly thread: string;
  /** Set if the actor passes on another participant's words. */
  readonly from?: Actor;
  readonly type: string;
  readonly to?: Recipients;
  readonly content: Json;
  readonly meta?: EventMeta;
}
