import type { ParticipantKind } from '../events/event.ts';
import type { BroughtText, Origin } from '../origin.ts';
import type { ModelWait } from '../runs/wait.ts';
import { getOwn } from '../util/get-own.ts';
import type { AuditBasis } from './audit/audit.ts';
import type { Delivery } from './policy/policy.ts';
import type { Profile, ThreadBudget } from './schema.ts';

export interface Participant {
  /** Asked into the conversation: durable, unlike presence (T2). */
  readonly invited: boolean;
  /** A human has written here under this id: it is a person's for good (T22). */
  readonly human?: true;
  /** Only an agent has invited it, and nobody has said what it is; until it writes (T13). */
  readonly bare?: true;
  readonly profile: Profile;
}

export interface Task {
  readonly author: string;
  readonly to: readonly string[];
  readonly role?: string;
  readonly claimedBy?: string;
}

/** The human message that a wake goes back to, and how many wakes lie between (T16). */
export interface Cause {
  readonly root: string;
  readonly depth: number;
}

/** A thread and the budget it had. */
export interface Payer {
  readonly thread: string;
  readonly budget: ThreadBudget;
}

/** An agent is to answer an event. */
export interface Wake {
  readonly event: string;
  readonly seq: number;
  readonly cause: Cause;
  readonly reason: string;
  /** Who answers the same words first. */
  readonly behind?: string;
  /** Its model cannot answer now. */
  readonly waiting?: ModelWait;
  /** What calls that brought no answer have used until its last wait. */
  readonly usage?: WakeUsage;
}

export type WakeUsage = {
  readonly model: string;
  readonly prompt_tokens: number;
  readonly generated_tokens: number;
  readonly cost: number;
  readonly estimated?: true;
};

/** Wakes that agents caused, counted for one human message. */
export interface WakeCount {
  readonly root: string;
  readonly wakes: number;
  readonly each: Readonly<Record<string, number>>;
}

/** Who is to answer what, and how much agents have caused by themselves. All of it bounded. */
export interface Routing {
  /** The newest event that could wake someone, and whom it woke. */
  readonly last?: { readonly event: string; readonly decisions: readonly Delivery[] };
  readonly wakes: Readonly<Record<string, readonly Wake[]>>;
  /** What each agent was last woken by: what it says goes back to that. */
  readonly causes: Readonly<Record<string, Cause>>;
  readonly spent: readonly WakeCount[];
  /** Wakes that a limit stopped, until a human lets them continue. */
  readonly stopped: readonly (Omit<Wake, 'behind'> & { readonly participant: string })[];
}

export const NO_ROUTING: Routing = { wakes: {}, causes: {}, spent: [], stopped: [] };

export interface ThreadDraft {
  /** The event that proposed it. */
  readonly event: string;
  readonly participant: string;
  readonly by: ParticipantKind;
  readonly text: string;
  readonly ts: string;
  readonly cause: Cause;
  readonly replyTo?: string;
  /** Why it was not posted, where it would have been. */
  readonly held?: string;
  readonly origin?: Origin;
  /** What it was written from, where it is an audit (T21). */
  readonly audit?: AuditBasis;
}

/** Somebody was asked for by name. */
export interface PendingRequest {
  readonly event: string;
  readonly seq: number;
  readonly by: string;
  readonly as: 'message' | 'task' | 'result' | 'prod' | 'invite';
  readonly ts: string;
}

export interface SideChannel {
  readonly title: string;
  readonly question: string;
  readonly members: readonly string[];
}

/**
 * What deciding needs of a thread, and no more: closed tasks and closed side
 * channels live in the log alone, so the state does not grow with history.
 */
export interface ThreadState {
  readonly id: string;
  readonly exists: boolean;
  readonly kind: 'conversation' | 'dialogue' | 'exchange' | 'loom';
  readonly title: string;
  readonly creator: string;
  readonly created: string;
  readonly forkedFrom?: { readonly thread: string; readonly seq: number };
  readonly sideOf?: {
    readonly thread: string;
    readonly question: string;
    readonly opener: string;
    readonly budget?: ThreadBudget;
    readonly closed: boolean;
  };
  /**
   * Made by an agent: what that goes back to until a human takes part, the wakes it took along, and the thread whose
   * budget is used here too (T16).
   */
  readonly madeFor?: Cause & { readonly wakes: number; readonly payer?: Payer };
  /** What it was opened from, and what came into it from other threads. */
  readonly origin?: Origin;
  readonly brought: readonly BroughtText[];
  readonly participants: Readonly<Record<string, Participant>>;
  readonly muted: Readonly<Record<string, 'hard' | 'soft'>>;
  readonly paused: boolean;
  readonly done: boolean;
  /** 0: agents may be woken whenever the other rules allow it. */
  readonly ttlSeconds: number;
  readonly lastHumanAt?: string;
  /** The last event by which a human spoke. */
  readonly lastHuman?: string;
  readonly lastHumanSeq?: number;
  /** When a human last let the work begin that came with an import (L25): the seq of that word. */
  readonly resumed?: number;
  readonly discussion: { readonly on: boolean; readonly agentMentions: boolean };
  readonly invitedAuto: boolean;
  readonly policy: { readonly mode: 'small' | 'large' | 'auto'; readonly hops?: number; readonly wakes?: number };
  readonly presenceLog: boolean;
  /** Messages since each wrote that is woken by their number. */
  readonly since: Readonly<Record<string, number>>;
  readonly budget: ThreadBudget;
  readonly openTasks: Readonly<Record<string, Task>>;
  readonly openSides: Readonly<Record<string, SideChannel>>;
  readonly routing: Routing;
  /** By the participant: the newest that was asked of each and that it has not answered. */
  readonly asked: Readonly<Record<string, PendingRequest>>;
  /** Texts beside the thread that nobody has decided on; an index is for good. */
  readonly drafts: { readonly count: number; readonly open: Readonly<Record<number, ThreadDraft>> };
}

export function initialThread(id: string): ThreadState {
  return {
    id,
    exists: false,
    kind: 'conversation',
    title: '',
    creator: '',
    created: '',
    brought: [],
    participants: {},
    muted: {},
    paused: false,
    done: false,
    ttlSeconds: 0,
    discussion: { on: false, agentMentions: false },
    invitedAuto: false,
    policy: { mode: 'auto' },
    presenceLog: false,
    since: {},
    budget: {},
    openTasks: {},
    openSides: {},
    routing: NO_ROUTING,
    asked: {},
    drafts: { count: 0, open: {} },
  };
}

/** A participant's kind as the thread knows it; a credential decides what it may do. */
export function participantKindOf(state: ThreadState, id: string): ParticipantKind {
  return getOwn(state.participants, id)?.profile.kind ?? 'agent';
}
