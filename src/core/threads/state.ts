import type { Attachment } from '../attachments/attachment.ts';
import type { ParticipantKind } from '../events/event.ts';
import type { BroughtText, Origin } from '../origin.ts';
import type { ModelWait } from '../runs/schema.ts';
import { getOwn } from '../util/get-own.ts';
import type { AuditBasis } from './audit/audit.ts';
import type { Delivery } from './policy/policy.ts';
import type { Profile, ThreadBudget } from './schema.ts';
import type { PendingRequest } from './view/schema.ts';

export interface Participant {
  /** Invited to the conversation: durable, unlike presence (T2). */
  readonly invited: boolean;
  /** A human has written here under this id, so it belongs to a person permanently (T22). */
  readonly human?: true;
  /** Only an agent has invited this id, and nobody has described it; cleared when the participant writes (T13). */
  readonly bare?: true;
  readonly profile: Profile;
}

export interface Task {
  readonly author: string;
  readonly to: readonly string[];
  readonly role?: string;
  readonly claimedBy?: string;
}

/** The human message that a wake goes back to, and the number of wakes in between (T16). */
export interface Cause {
  readonly root: string;
  readonly depth: number;
}

/** The thread whose budget is used, with that budget at the time. */
export interface Payer {
  readonly thread: string;
  readonly budget: ThreadBudget;
}

/** An agent's pending answer to an event. */
export interface Wake {
  readonly event: string;
  readonly seq: number;
  readonly cause: Cause;
  readonly reason: string;
  /** The participant that answers the same message first. */
  readonly behind?: string;
  /** The event to answer, if it is not the one that woke the agent: it is asked to answer that one again (T39). */
  readonly about?: string;
  /** Present while the model cannot answer. */
  readonly waiting?: ModelWait;
  /** Usage of the calls without an answer, up to the last wait. */
  readonly usage?: WakeUsage;
}

export type WakeUsage = {
  readonly model: string;
  readonly prompt_tokens: number;
  readonly generated_tokens: number;
  readonly cost: number;
  readonly estimated?: true;
};

/** The number of wakes that agents caused, for one human message. */
export interface WakeCount {
  readonly root: string;
  readonly wakes: number;
  readonly each: Readonly<Record<string, number>>;
}

/** Pending answers, and the counts of what agents caused by themselves. Everything here is bounded. */
export interface Routing {
  /** The newest event that could wake someone, and whom it woke. */
  readonly last?: { readonly event: string; readonly decisions: readonly Delivery[] };
  readonly wakes: Readonly<Record<string, readonly Wake[]>>;
  /** The cause of each agent's last wake, which is also the cause of what it says. */
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
  /** The reason why the draft was held back, if it would otherwise have been posted. */
  readonly held?: string;
  readonly origin?: Origin;
  /** The sources, if the draft is an audit (T21). */
  readonly audit?: AuditBasis;
  readonly attachments?: readonly Attachment[];
}

export interface SideChannel {
  readonly title: string;
  readonly question: string;
  readonly members: readonly string[];
}

/**
 * The part of a thread that decisions need, and no more: closed tasks and closed side channels are only in the log, so
 * the state does not grow with history.
 */
export interface ThreadState {
  readonly id: string;
  readonly exists: boolean;
  /** "conversation", or the kind of a mode (core/modes.ts), or one that only another version knows. */
  readonly kind: string;
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
   * Set if an agent made the thread, until a human takes part: the cause, the wakes it took along, and the thread whose
   * budget is also used here (T16).
   */
  readonly madeFor?: Cause & { readonly wakes: number; readonly payer?: Payer };
  /** The place that the thread was opened from, and the texts brought into it from other threads. */
  readonly origin?: Origin;
  readonly brought: readonly BroughtText[];
  readonly participants: Readonly<Record<string, Participant>>;
  readonly muted: Readonly<Record<string, 'hard' | 'soft'>>;
  readonly paused: boolean;
  readonly done: boolean;
  /** Left out of lists and search until asked for (T32). */
  readonly archived?: true;
  /** In the order in which they were given (T33). */
  readonly tags?: readonly string[];
  /** 0 means no time limit for waking agents. */
  readonly ttlSeconds: number;
  readonly lastHumanAt?: string;
  /** The last event in which a human spoke. */
  readonly lastHuman?: string;
  readonly lastHumanSeq?: number;
  /** Seq of the last event in which a human resumed the work that came with an import (L25). */
  readonly resumed?: number;
  readonly discussion: { readonly on: boolean; readonly agentMentions: boolean };
  readonly invitedAuto: boolean;
  readonly policy: { readonly mode: 'small' | 'large' | 'auto'; readonly hops?: number; readonly wakes?: number };
  readonly presenceLog: boolean;
  /** How many messages were posted. */
  readonly messages: number;
  /** For each participant with `every`, the number of messages since it last wrote. */
  readonly since: Readonly<Record<string, number>>;
  readonly budget: ThreadBudget;
  /** Messages that have newer versions, by id: where the newest is, how many there are, and by whom (T35). */
  readonly edits?: Readonly<Record<string, { readonly seq: number; readonly count: number; readonly by: string }>>;
  readonly openTasks: Readonly<Record<string, Task>>;
  readonly openSides: Readonly<Record<string, SideChannel>>;
  readonly routing: Routing;
  /** By participant, the newest request that it has not answered. */
  readonly asked: Readonly<Record<string, PendingRequest>>;
  /** Drafts that nobody has decided on; an index is never reused. */
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
    messages: 0,
    since: {},
    budget: {},
    openTasks: {},
    openSides: {},
    routing: NO_ROUTING,
    asked: {},
    drafts: { count: 0, open: {} },
  };
}

/** A participant's kind as the thread knows it; permissions depend on the credential instead. */
export function participantKindOf(state: ThreadState, id: string): ParticipantKind {
  return getOwn(state.participants, id)?.profile.kind ?? 'agent';
}
