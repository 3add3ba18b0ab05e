import { type Refusal, refuse } from '../../core/refusal.ts';
import { refuseUnknownThread } from '../../core/threads/decide.ts';
import type { State } from '../../core/workspace.ts';
import type { Models } from '../../engine/calls/models.ts';
import type { Engine } from '../../engine/engine.ts';
import { findVisibleEvent, type StoredEvent } from '../../log/event-log.ts';
import type { Embedder } from '../../models/embedder.ts';
import type { Credentials } from '../auth/credentials.ts';
import type { ServerLimits } from '../http/limits.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Streams } from '../streams/sse.ts';
import type { Activity } from '../threads/activity.ts';
import type { Deliveries } from '../threads/deliveries.ts';

export interface RouteContext {
  readonly engine: Engine;
  readonly models: Models;
  readonly embedder: Embedder;
  readonly credentials: Credentials;
  readonly metrics: Metrics;
  readonly streams: Streams;
  readonly activity: Activity;
  readonly deliveries: Deliveries;
  readonly limits: ServerLimits;
  readonly workspace: string;
  readonly signInCommand: string;
  readonly version: string;
  readonly secureCookies: boolean;
  /** Where other devices reach this server; undefined if only this machine does. */
  readonly publicAddress: () => string | undefined;
  /** Whether any server works on this log. */
  readonly isServed: () => boolean;
  /** Reports internal errors to the operator, never to the caller. */
  report(text: string): void;
  /** Aborted when the server stops, so that no request keeps waiting. */
  readonly stopping: AbortSignal;
}

const ID_PATTERN = /^[\w.-]{1,64}$/;

export function isId(text: string): boolean {
  return ID_PATTERN.test(text);
}

export async function loadThread(engine: Engine, thread: string): Promise<{ state: State; seq: number } | Refusal> {
  const loaded = isId(thread) ? await engine.state(thread) : undefined;
  return loaded ?? unknownThread(thread);
}

export async function findEvent(engine: Engine, thread: string, event: string): Promise<StoredEvent | Refusal> {
  const stored = isId(event) ? await findVisibleEvent(engine.log, thread, event) : undefined;
  return stored ?? refuse('unknown_event', `There is no event ${event.slice(0, 64)} in this thread.`, { thread });
}

export function unknownThread(thread: string): Refusal {
  return refuseUnknownThread(thread.slice(0, 64));
}
