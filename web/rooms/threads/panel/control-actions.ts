import type { WirePresence, WireThreadState } from '../../../../src/client/index.ts';
import type { Control } from '../../../../src/core/threads/schema.ts';
import { lasting } from '../../../ui/time.tsx';

export type Participant = WireThreadState['participants'][number];

/** Something that can be done to somebody, or to the thread: said once, for its button and for the palette. */
export interface Act {
  /** On a button beside whom it is about. */
  readonly name: string;
  /** By itself: "Mute alpha softly". */
  readonly whole: string;
  readonly controls: readonly Control[];
}

/** Who is asked into the thread and who is there: two things, kept apart (T2). */
export function peopleOf(
  state: WireThreadState,
  presence: ReadonlyMap<string, WirePresence>,
): { readonly invited: readonly Participant[]; readonly others: readonly Participant[] } {
  const known = new Set(state.participants.map(({ id }) => id));
  const strangers = [...presence.values()]
    .filter(({ participant, state: is }) => !known.has(participant) && is !== 'offline')
    .map(({ participant, details }) => ({ id: participant, invited: false, muted: null, profile: details ?? {} }));
  return {
    invited: state.participants.filter(({ invited }) => invited),
    others: [...state.participants.filter(({ invited }) => !invited), ...strangers],
  };
}

/** What can be done about one person now. */
export function actsOn({ id, invited, muted }: Participant, me: string): readonly Act[] {
  const act = (name: string, control: Control, whole = `${name} ${id}`): Act => ({ name, whole, controls: [control] });
  return [
    ...(id === me ? [] : [act('Prod', { prod: [id] })]),
    ...(muted === 'hard' ? [] : [act('Mute', { mute: { targets: [id], mode: 'hard' } })]),
    ...(muted ? [] : [act('Mute softly', { mute: { targets: [id], mode: 'soft' } }, `Mute ${id} softly`)]),
    ...(muted ? [act('Unmute', { unmute: { targets: [id] } })] : []),
    invited
      ? act('Uninvite', { uninvite: { participant_id: id } })
      : act('Invite', { invite: { participant_id: id, profile: {} } }),
  ];
}

/** Whether what somebody writes is posted or lies beside the thread, turned round; undefined for people (T19). */
export function postingOf({ id, invited, profile }: Participant): Act | undefined {
  if (!invited || profile.kind === 'human') return undefined;
  const posting = profile.posting === 'draft' ? 'direct' : 'draft';
  const name = posting === 'draft' ? 'draft before it posts' : 'post directly';
  return {
    name,
    whole: `Let ${id} ${name}`,
    controls: [{ invite: { participant_id: id, profile: { posting } } }],
  };
}

export function auditorIn(state: WireThreadState): Participant | undefined {
  return state.participants.find(({ invited, profile }) => invited && profile.roles?.includes('auditor'));
}

const LIMITS = [0, 60, 300, 900, 3600, 86_400];

/** How long agents may go on by themselves, the present limit among the usual ones. */
export function limitsOf({
  ttl_seconds,
}: WireThreadState): readonly { readonly seconds: number; readonly is: string }[] {
  const all = LIMITS.includes(ttl_seconds) ? LIMITS : [...LIMITS, ttl_seconds].sort((a, b) => a - b);
  return all.map((seconds) => ({ seconds, is: seconds === 0 ? 'without a limit' : `for ${lasting(seconds)}` }));
}

type Hearing = WireThreadState['policy']['mode'];

/** Whom a message to everyone wakes. */
export const HEARING: readonly { readonly mode: Hearing; readonly is: string }[] = [
  { mode: 'auto', is: 'agents, up to three' },
  { mode: 'small', is: 'every agent' },
  { mode: 'large', is: 'only those named' },
];

export function hearingOf({ invited_auto, policy }: WireThreadState): Hearing {
  return invited_auto ? 'small' : policy.mode;
}

export function hearingTo(state: WireThreadState, mode: Hearing): readonly Control[] {
  const policy: Control = { policy: { ...state.policy, mode } };
  return state.invited_auto && mode !== 'small' ? [{ invited_auto: { on: false } }, policy] : [policy];
}

/** What is otherwise chosen from the fields of the panel: each choice but the present one. */
export function choicesOf(state: WireThreadState): readonly Act[] {
  const choice = (whole: string, controls: readonly Control[]): Act => ({ name: whole, whole, controls });
  const { on } = state.discussion;
  return [
    ...limitsOf(state)
      .filter(({ seconds }) => seconds !== state.ttl_seconds)
      .map(({ seconds, is }) =>
        choice(`Agents may go on ${is} after a human’s last message`, [{ ttl_seconds: seconds }]),
      ),
    ...HEARING.filter(({ mode }) => mode !== hearingOf(state)).map(({ mode, is }) =>
      choice(`A message to everyone wakes ${is}`, hearingTo(state, mode)),
    ),
    choice(on ? 'Agents may not wake each other by a mention' : 'Agents may wake each other by a mention', [
      { discussion: { on: !on } },
    ]),
  ];
}
