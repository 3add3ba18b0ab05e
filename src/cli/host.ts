import type { Fetch } from '../client/index.ts';
import type { ParticipantKind } from '../core/events/event.ts';
import type { Refusal } from '../core/refusal.ts';
import type { EventLog } from '../log/event-log.ts';
import type { LogCheck } from '../log/log-check.ts';
import type { LogRepair, RepairedLog } from '../log/repair.ts';
import type { WorkspaceSettings } from '../workspace/settings/settings.ts';

/** The implementations that commands use. Only main.ts picks them. */
export interface CliHost {
  readonly version: string;
  openLog(location: LogLocation, options?: OpenLogOptions): Promise<EventLog>;
  /** Repairs a copy of a damaged log. The caller accepts or discards the result. */
  mendLog(location: LogLocation, repair: LogRepair, backupPath: string): Promise<RepairedLog>;
  /** Checks a log without changing it; throws if it cannot be used at all. */
  checkLog(location: LogLocation): Promise<LogCheck>;
  /** Plans the download of a larger model; a refusal if the model is not available. */
  planPull(name: string): Promise<ModelPull | Refusal>;
  /** The models a model server offers; undefined if it does not list them. `key` is a key that is not stored yet. */
  listOfferedModels(entry: WorkspaceSettings['models'][string], key?: string): Promise<readonly string[] | undefined>;
  /** A command-line agent's program and its path on this machine; null if it is not installed. */
  programOf(
    client: WorkspaceSettings['clients'][string],
  ): Promise<{ readonly program: string; readonly path: string | null }>;
  /** How this machine sandboxes agent programs under the given heddle.yaml setting. */
  sandboxFor(setting: WorkspaceSettings['sandbox']): Promise<SandboxStatus>;
  /** Runs a command-line agent once with a test question. */
  tryAgent(
    client: WorkspaceSettings['clients'][string],
    question: string,
    options: AgentTrialOptions,
  ): Promise<AgentTrialResult>;
  /** Opens a complete server that does not listen on a socket yet. */
  openServer(log: EventLog, options?: OpenServerOptions): Promise<HostedServer>;
  /** Opens a server that only reads: the log may be read-only, and other processes may append to it. */
  openReader(log: EventLog, options: OpenReaderOptions): Promise<HostedReader>;
}

/** The location of a log: a workspace's own file, or a PostgreSQL database. */
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
  /** The path of the workspace's heddle.yaml. The server reloads it when it changes. */
  readonly settings?: string;
  /** The file with the key that tokens are derived from. */
  readonly tokenKey?: string;
  readonly limits?: WorkspaceSettings['limits'];
  readonly allowedHosts?: readonly string[];
  readonly secureCookies?: boolean;
  /** Where other devices reach the server, once it listens. */
  readonly publicAddress?: () => string | undefined;
  /** The workspace's name on the page. */
  readonly workspace?: string;
  readonly signInCommand?: string;
  /** Other servers may work on the same log. */
  readonly isShared?: boolean;
}

export type OpenReaderOptions = Required<Pick<OpenServerOptions, 'isShared'>>;

export interface HostedReader {
  readonly fetch: Fetch;
  /** Valid for this reader only. */
  readonly guestToken: string;
  close(): Promise<void>;
}

export interface SandboxStatus {
  readonly kind: 'bwrap' | 'directory' | 'refused';
  /** One line to show next to an agent. */
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
  /** The files still to download; empty if all are here. */
  readonly missing: readonly { readonly what: string; readonly bytes: number; readonly licence: string }[];
  run(onProgress: (received: number, total: number) => void, signal: AbortSignal): Promise<void>;
}

export interface HostedServer {
  readonly fetch: Fetch;
  readonly credentials: CredentialStore;
  listen(options: HostListenOptions): Promise<{ readonly url: string; close(): Promise<void> }>;
  /**
   * Starts reactions and jobs; only the serving process may call it.
   * `onProgress` reports the upgrade of thread rows written by an earlier version.
   */
  startWork(onProgress?: (threads: number, total: number) => void): void;
  /** Finishes work in progress. The log stays open. */
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
