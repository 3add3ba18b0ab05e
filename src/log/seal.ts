import { hash } from 'node:crypto';
import { canonicalJson } from '../core/events/canonical.ts';
import type { Event } from '../core/events/event.ts';
import type { LinkedEvent, StoredEvent } from './event-log.ts';

/** The hash that the first event of a thread links to. */
export const GENESIS = '0'.repeat(64);

export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** Links an event to the one before it in its thread (L5). */
export function seal(previous: string, event: Omit<Event, 'hash'>): LinkedEvent {
  const body = canonicalJson(event);
  return { id: event.id, thread: event.thread, seq: event.seq, body, hash: linkHash(previous, body), previous };
}

export function linkHash(previous: string, body: string): string {
  return sha256(`${previous}\n${body}`);
}

/** Links an event to the previous event of the workspace, whatever their threads (L24). */
export function orderHash(previous: string, event: Omit<StoredEvent, 'id' | 'body'>): string {
  return sha256(`${previous}\n${event.position} ${event.seq} ${event.hash} ${event.thread}`);
}
