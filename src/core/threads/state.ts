import type { ParticipantKind } from '../event.ts';
import type { Budget, Profile } from './schema.ts';

export interface Participant {
  /** Asked into the conversation: durable, unlike presence (T2). */
  readonly invited: boolean;
  readonly profile: Profile;
}

export interface Task {
  readonly author: string;
  readonly to: readonly string[];
  readonly role?: string;
  readonly claimedBy?: string;
}

export interface Side {
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
    readonly budget?: Budget;
    readonly closed: boolean;
  };
  readonly participants: Readonly<Record<string, Participant>>;
  readonly muted: Readonly<Record<string, 'hard' | 'soft'>>;
  readonly paused: boolean;
  readonly done: boolean;
  /** 0: agents may be woken whenever the other rules allow it. */
  readonly ttlSeconds: number;
  readonly lastHumanAt?: string;
  readonly discussion: { readonly on: boolean; readonly agentMentions: boolean };
  readonly invitedAuto: boolean;
  readonly policy: { readonly mode: 'small' | 'large' | 'auto'; readonly hops?: number; readonly wakes?: number };
  readonly presenceLog: boolean;
  readonly budget: Budget;
  readonly openTasks: Readonly<Record<string, Task>>;
  readonly openSides: Readonly<Record<string, Side>>;
}

export function initialThread(id: string): ThreadState {
  return {
    id,
    exists: false,
    kind: 'conversation',
    title: '',
    creator: '',
    created: '',
    participants: {},
    muted: {},
    paused: false,
    done: false,
    ttlSeconds: 0,
    discussion: { on: false, agentMentions: false },
    invitedAuto: false,
    policy: { mode: 'auto' },
    presenceLog: false,
    budget: {},
    openTasks: {},
    openSides: {},
  };
}

/** A participant's kind as the thread knows it; a credential decides what it may do. */
export function kindOf(state: ThreadState, id: string): ParticipantKind {
  return state.participants[id]?.profile.kind ?? 'agent';
}
