import type { SandboxMode } from '../models/registry/schema.ts';

/** What an agent is asked: who it is, where, and what was said, each piece quoted as the words of whoever wrote it. */
export interface AgentQuestion {
  readonly participant: string;
  readonly thread: string;
  readonly title: string;
  readonly prompt: string;
  /** The talk so far, for an agent that keeps one: what it calls it, and what it has not heard yet. */
  readonly resume?: { readonly session: string; readonly news: string };
}

export interface AgentReply {
  readonly text: string;
  readonly session?: string;
  /** Whether it went on from what it knew. */
  readonly resumed: boolean;
  readonly usage?: AgentUsage;
  /** More was written than is allowed: this is its beginning. */
  readonly cut?: true;
}

export interface AgentUsage {
  readonly promptTokens: number;
  readonly generatedTokens: number;
  /** In money, where the agent says it. */
  readonly cost?: number;
  /** It tells the sum of the whole session. */
  readonly ofSession?: true;
}

/** It was called off, or why it failed; `lost` when only what it knew of the talk so far is gone. */
export type AgentFailure = { readonly cancelled: true } | { readonly failed: string; readonly lost?: true };

/** Where and within what limits it is run. */
export interface AgentRunOptions {
  readonly directory: string;
  readonly caps: AgentCaps;
  readonly signal?: AbortSignal;
  /** What it must not see, where there is a sandbox. */
  readonly hidden?: readonly string[];
  readonly sandbox?: SandboxMode;
}

export interface AgentCaps {
  readonly seconds: number;
  readonly bytes: number;
}

/** A program on this machine that can be asked (I10). */
export interface Agent {
  /** Names of our variables that it may see, besides those of every program. */
  readonly environment: readonly string[];
  ask(question: AgentQuestion, runOptions: AgentRunOptions): Promise<AgentReply | AgentFailure>;
}
