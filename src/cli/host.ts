import type { Fetch } from '../client/index.ts';
import type { ParticipantKind } from '../core/events/event.ts';
import type { Refusal } from '../core/refusal.ts';
import type { EventLog } from '../log/event-log.ts';
import type { LogCheck } from '../log/log-check.ts';
import type { MendedLog, Repair } from '../log/repair.ts';
import type { Settings } from '../workspace/settings/settings.ts';

/** What the program is made of. Commands get it from main.ts, the only file that picks implementations. */
export interface Host {
  readonly version: string;
  openLog(place: LogPlace, options?: OpenOptions): Promise<EventLog>;
  /** Mends a copy of a damaged log; what it gives is accepted or discarded. */
  mendLog(place: LogPlace, repair: Repair, keepAt: string): Promise<MendedLog>;
  /** Looks a log over without changing it; throws when it cannot be used at all. */
  checkLog(place: LogPlace): Promise<LogCheck>;
  /** What it takes to have a larger model on this machine; a refusal for one that cannot be had. */
  planPull(name: string): Promise<Pull | Refusal>;
  /** The models that a server says it has; undefined where it does not say. `key` is one that is not stored yet. */
  offered(entry: Settings['models'][string], key?: string): Promise<readonly string[] | undefined>;
  /** The program a command-line agent is, and where it is on this machine, if it is. */
  programOf(client: Settings['clients'][string]): Promise<{ readonly program: string; readonly path: string | null }>;
  /** Whether programs are started in a sandbox here, with this setting of heddle.yaml. */
  sandboxFor(setting: Settings['sandbox']): Promise<Sandbox>;
  /** Starts a command-line agent once with a question. */
  tryAgent(client: Settings['clients'][string], question: string, how: Trial): Promise<Tried>;
  /** Everything a server does, without a socket yet. */
  openServer(log: EventLog, options?: ServerOptions): Promise<HostedServer>;
}

/** Which log is meant: a workspace's own file, or a PostgreSQL database. */
export interface LogPlace {
  readonly file: string;
  readonly url: string | undefined;
}

export interface OpenOptions {
  readonly readOnly?: boolean;
  /** This process holds the workspace's lock. */
  readonly isOwner?: boolean;
  readonly synchronous?: Settings['synchronous'];
}

export interface ServerOptions {
  /** The workspace's heddle.yaml, read again when it changes. */
  readonly settings?: string;
  /** The file with the key that tokens are derived from. */
  readonly tokenKey?: string;
  readonly limits?: Settings['limits'];
  readonly allowedHosts?: readonly string[];
  readonly secureCookies?: boolean;
  /** What the page calls the workspace. */
  readonly workspace?: string;
}

export interface Sandbox {
  readonly kind: 'bwrap' | 'directory' | 'refused';
  /** One line for people who look at an agent. */
  readonly sentence: string;
  readonly reason?: string;
  readonly todo?: string;
}

export interface Trial {
  readonly directory: string;
  readonly hidden: readonly string[];
  readonly sandbox: Settings['sandbox'];
  readonly seconds: number;
  readonly signal: AbortSignal;
}

export type Tried =
  | {
      readonly text: string;
      readonly usage?: { readonly promptTokens: number; readonly generatedTokens: number; readonly cost?: number };
    }
  | { readonly failed: string }
  | { readonly cancelled: true };

export interface Pull {
  readonly title: string;
  readonly entry: Settings['models'][string];
  /** What is not here yet; nothing when all is. */
  readonly missing: readonly { readonly what: string; readonly bytes: number; readonly licence: string }[];
  run(progress: (received: number, total: number) => void, signal: AbortSignal): Promise<void>;
}

export interface HostedServer {
  readonly fetch: Fetch;
  readonly credentials: Credentials;
  listen(options: ListenOptions): Promise<{ readonly url: string; close(): Promise<void> }>;
  /** Begins carrying out reactions and jobs; only the process that serves does. */
  /** `told` hears how far rows of threads are that an earlier version has made. */
  startWork(told?: (threads: number, total: number) => void): void;
  /** Finishes what was begun. The log stays open. */
  close(): Promise<void>;
}

export interface Credentials {
  find(token: string): unknown;
  issue(participant: string, kind: ParticipantKind): Promise<{ readonly token: string } | Refusal>;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly behindProxy?: boolean;
}
