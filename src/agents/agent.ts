import type { SandboxMode } from '../models/registry/schema.ts';

/** A question for an agent: its identity, the thread, and a prompt that quotes each message with its author. */
export interface AgentQuestion {
  readonly participant: string;
  readonly thread: string;
  readonly title: string;
  readonly prompt: string;
  /** For agents that keep sessions: the session id, and the messages the agent has not seen yet. */
  readonly resume?: { readonly session: string; readonly news: string };
}

export interface AgentReply {
  readonly text: string;
  readonly session?: string;
  readonly resumed: boolean;
  readonly usage?: AgentUsage;
  /** The output exceeded the limit; `text` is its beginning. */
  readonly cut?: true;
}

export interface AgentUsage {
  readonly promptTokens: number;
  readonly generatedTokens: number;
  readonly cost?: number;
  /** The numbers are totals for the whole session. */
  readonly ofSession?: true;
}

/** A cancelled run, or the reason it failed. `lost` means that only the agent's session is gone. */
export type AgentFailure = { readonly cancelled: true } | { readonly failed: string; readonly lost?: true };

export interface AgentRunOptions {
  readonly directory: string;
  readonly caps: AgentCaps;
  readonly signal?: AbortSignal;
  /** Paths hidden from the agent, if there is a sandbox. */
  readonly hidden?: readonly string[];
  readonly sandbox?: SandboxMode;
}

export interface AgentCaps {
  readonly seconds: number;
  readonly bytes: number;
}

/** A program on this machine that answers questions (I10). */
export interface Agent {
  /** Names of our environment variables that the agent may see, besides those every program gets. */
  readonly environment: readonly string[];
  ask(question: AgentQuestion, runOptions: AgentRunOptions): Promise<AgentReply | AgentFailure>;
}
