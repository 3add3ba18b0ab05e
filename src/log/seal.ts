import { hash } from 'node:crypto';
import { canonical } from '../core/canonical.ts';
import type { Event } from '../core/event.ts';
import type { Sealed } from './event-log.ts';

/** What the first event of a thread links to. */
export const GENESIS = '0'.repeat(64);

export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** Links an event to the one before it in its thread (L5). */
export function seal(previous: string, event: Omit<Event, 'hash'>): Sealed {
  const body = canonical(event);
  return { id: event.id, thread: event.thread, seq: event.seq, body, hash: linkHash(previous, body) };
}

export function linkHash(previous: string, body: string): string {
  return sha256(`${previous}\n${body}`);
}
