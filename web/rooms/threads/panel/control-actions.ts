import type { WirePresence, WireThreadState } from '../../../../src/client/index.ts';
import type { Control } from '../../../../src/core/threads/schema.ts';
import { formatDuration } from '../../../ui/time.tsx';

export type ThreadParticipant = WireThreadState['participants'][number];

/** An action on a participant or the thread, defined once for both its button and the palette. */
export interface ControlAction {
  /** The label of a button next to the participant. */
  readonly name: string;
  /** The full name: "Mute alpha, fold messages". */
  readonly title: string;
  readonly controls: readonly Control[];
}

/** Invited participants and present ones are two separate lists (T2). */
export function splitParticipants(
  state: WireThreadState,
  presence: ReadonlyMap<string, WirePresence>,
): { readonly invited: readonly ThreadParticipant[]; readonly others: readonly ThreadParticipant[] } {
  const memberIds = new Set(state.participants.map(({ id }) => id));
  const visitors = [...presence.values()]
    .filter(({ participant, state: presenceState }) => !memberIds.has(participant) && presenceState !== 'offline')
    .map(({ participant, details }) => ({ id: participant, invited: false, muted: null, profile: details ?? {} }));
  return {
    invited: state.participants.filter(({ invited }) => invited),
    others: [...state.participants.filter(({ invited }) => !invited), ...visitors],
  };
}

/** The actions available for one participant now. */
export function participantActions({ id, invited, muted }: ThreadParticipant, me: string): readonly ControlAction[] {
  const createAction = (name: string, control: Control, title = `${name} ${id}`): ControlAction => ({
    name,
    title,
    controls: [control],
  });
  return [
    ...(id === me ? [] : [createAction('Ask to reply', { prod: [id] }, `Ask ${id} to reply`)]),
    ...(muted === 'hard' ? [] : [createAction('Mute', { mute: { targets: [id], mode: 'hard' } })]),
    ...(muted
      ? []
      : [createAction('Mute, fold messages', { mute: { targets: [id], mode: 'soft' } }, `Mute ${id}, fold messages`)]),
    ...(muted ? [createAction('Unmute', { unmute: { targets: [id] } })] : []),
    invited
      ? createAction('Uninvite', { uninvite: { participant_id: id } })
      : createAction('Invite', { invite: { participant_id: id, profile: {} } }),
  ];
}

/** Switches a participant between posting directly and drafting first; undefined for people (T19). */
export function postingAction({ id, invited, profile }: ThreadParticipant): ControlAction | undefined {
  if (!invited || profile.kind === 'human') return undefined;
  const posting = profile.posting === 'draft' ? 'direct' : 'draft';
  const name = posting === 'draft' ? 'draft before it posts' : 'post directly';
  return {
    name,
    title: `Let ${id} ${name}`,
    controls: [{ invite: { participant_id: id, profile: { posting } } }],
  };
}

export function findAuditor(state: WireThreadState): ThreadParticipant | undefined {
  return state.participants.find(({ invited, profile }) => invited && profile.roles?.includes('auditor'));
}

const TIME_LIMITS = [0, 60, 300, 900, 3600, 86_400];

/** Time limits for agents without a human's message: the usual ones and the current one. */
export function timeLimitOptions({
  ttl_seconds,
}: WireThreadState): readonly { readonly seconds: number; readonly is: string }[] {
  const limits = TIME_LIMITS.includes(ttl_seconds) ? TIME_LIMITS : [...TIME_LIMITS, ttl_seconds].sort((a, b) => a - b);
  return limits.map((seconds) => ({
    seconds,
    is: seconds === 0 ? 'without a limit' : `for ${formatDuration(seconds)}`,
  }));
}

type WakeAudience = WireThreadState['policy']['mode'];

/** The participants that a message to everyone wakes. */
export const AUDIENCES: readonly { readonly mode: WakeAudience; readonly is: string }[] = [
  { mode: 'auto', is: 'agents, up to three' },
  { mode: 'small', is: 'every agent' },
  { mode: 'large', is: 'only those named' },
];

export function audienceOf({ invited_auto, policy }: WireThreadState): WakeAudience {
  return invited_auto ? 'small' : policy.mode;
}

export function audienceControls(state: WireThreadState, mode: WakeAudience): readonly Control[] {
  const policy: Control = { policy: { ...state.policy, mode } };
  return state.invited_auto && mode !== 'small' ? [{ invited_auto: { on: false } }, policy] : [policy];
}

/** The settings of the panel as actions: each choice except the current one. */
export function settingActions(state: WireThreadState): readonly ControlAction[] {
  const createSetting = (title: string, controls: readonly Control[]): ControlAction => ({
    name: title,
    title,
    controls,
  });
  const { on } = state.discussion;
  return [
    ...timeLimitOptions(state)
      .filter(({ seconds }) => seconds !== state.ttl_seconds)
      .map(({ seconds, is: label }) =>
        createSetting(`Agents may go on ${label} after a human’s last message`, [{ ttl_seconds: seconds }]),
      ),
    ...AUDIENCES.filter(({ mode }) => mode !== audienceOf(state)).map(({ mode, is: label }) =>
      createSetting(`A message to everyone wakes ${label}`, audienceControls(state, mode)),
    ),
    createSetting(on ? 'Agents may not wake each other by a mention' : 'Agents may wake each other by a mention', [
      { discussion: { on: !on } },
    ]),
  ];
}
