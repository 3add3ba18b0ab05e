import type { Fetch } from '../client/index.ts';
import type { ParticipantKind } from '../core/events/event.ts';
import type { Refusal } from '../core/refusal.ts';
import type { EventLog } from '../log/event-log.ts';
import type { LogCheck } from '../log/log-check.ts';
import type { LogRepair, RepairedLog } from '../log/repair.ts';
import type { WorkspaceSettings } from '../workspace/settings/settings.ts';

/** What the program is made of. Commands get it from main.ts, the only file that picks implementations. */
export interface CliHost {
  readonly version: string;
  openLog(location: LogLocation, options?: OpenLogOptions): Promise<EventLog>;
  /** Mends a copy of a damaged log; what it gives is accepted or discarded. */
  mendLog(location: LogLocation, repair: LogRepair, backupPath: string): Promise<RepairedLog>;
  /** Looks a log over without changing it; throws when it cannot be used at all. */
  checkLog(location: LogLocation): Promise<LogCheck>;
  /** What it takes to have a larger model on this machine; a refusal for one that cannot be had. */
  planPull(name: string): Promise<ModelPull | Refusal>;
  /** The models that a server says it has; undefined where it does not say. `key` is one that is not stored yet. */
  listOfferedModels(entry: WorkspaceSettings['models'][string], key?: string): Promise<readonly string[] | undefined>;
  /** The program a command-line agent is, and where it is on this machine, if it is. */
  programOf(
    client: WorkspaceSettings['clients'][string],
  ): Promise<{ readonly program: string; readonly path: string | null }>;
  /** Whether programs are started in a sandbox here, with this setting of heddle.yaml. */
  sandboxFor(setting: WorkspaceSettings['sandbox']): Promise<SandboxStatus>;
  /** Starts a command-line agent once with a question. */
  tryAgent(
    client: WorkspaceSettings['clients'][string],
    question: string,
    options: AgentTrialOptions,
  ): Promise<AgentTrialResult>;
  /** Everything a server does, without a socket yet. */
  openServer(log: EventLog, options?: OpenServerOptions): Promise<HostedServer>;
}

/** Which log is meant: a workspace's own file, or a PostgreSQL database. */
export interface LogLocation {
  readonly file: string;
  readonly url: string | undefined;
}

export interface OpenLogOptions {
  readonly readOnly?: boolean;
  /** This process holds the workspace's lock. */
  readonly isOwner?: boolean;
  readonly synchronous?: WorkspaceSettings['synchronous'];
}

export interface OpenServerOptions {
  /** The workspace's heddle.yaml, read again when it changes. */
  readonly settings?: string;
  /** The file with the key that tokens are derived from. */
  readonly tokenKey?: string;
  readonly limits?: WorkspaceSettings['limits'];
  readonly allowedHosts?: readonly string[];
  readonly secureCookies?: boolean;
  /** What the page calls the workspace. */
  readonly workspace?: string;
}

export interface SandboxStatus {
  readonly kind: 'bwrap' | 'directory' | 'refused';
  /** One line for people who look at an agent. */
  readonly sentence: string;
  readonly reason?: string;
  readonly todo?: string;
}

export interface AgentTrialOptions {
  readonly directory: string;
  readonly hidden: readonly string[];
  readonly sandbox: WorkspaceSettings['sandbox'];
  readonly seconds: number;
  readonly signal: AbortSignal;
}

export type AgentTrialResult =
  | {
      readonly text: string;
      readonly usage?: { readonly promptTokens: number; readonly generatedTokens: number; readonly cost?: number };
    }
  | { readonly failed: string }
  | { readonly cancelled: true };

export interface ModelPull {
  readonly title: string;
  readonly entry: WorkspaceSettings['models'][string];
  /** What is not here yet; nothing when all is. */
  readonly missing: readonly { readonly what: string; readonly bytes: number; readonly licence: string }[];
  run(onProgress: (received: number, total: number) => void, signal: AbortSignal): Promise<void>;
}

export interface HostedServer {
  readonly fetch: Fetch;
  readonly credentials: CredentialStore;
  listen(options: HostListenOptions): Promise<{ readonly url: string; close(): Promise<void> }>;
  /** Begins carrying out reactions and jobs; only the process that serves does. */
  /** `onProgress` hears how far rows of threads are that an earlier version has made. */
  startWork(onProgress?: (threads: number, total: number) => void): void;
  /** Finishes what was begun. The log stays open. */
  close(): Promise<void>;
}

export interface CredentialStore {
  find(token: string): unknown;
  issue(participant: string, kind: ParticipantKind): Promise<{ readonly token: string } | Refusal>;
}

export interface HostListenOptions {
  readonly host: string;
  readonly port: number;
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly behindProxy?: boolean;
}
