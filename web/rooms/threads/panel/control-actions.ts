import type { WirePresence, WireThreadState } from '../../../../src/client/index.ts';
import type { Control } from '../../../../src/core/threads/schema.ts';
import { formatDuration } from '../../../ui/time.tsx';

export type ThreadParticipant = WireThreadState['participants'][number];

/** An action on a participant or the thread, defined once for both its button and the palette. */
export interface ControlAction {
  /** The label of a button next to the participant. */
  readonly name: string;
  /** The full name: "Mute alpha and fold messages". */
  readonly title: string;
  readonly controls: readonly Control[];
}

/**
 * Those who belong to the thread (you first, then people, then agents) and those who are only there are two separate
 * lists (T2). A person who has written belongs to it, invited or not.
 */
export function splitParticipants(
  state: WireThreadState,
  presence: ReadonlyMap<string, WirePresence>,
  me: string,
): { readonly members: readonly ThreadParticipant[]; readonly others: readonly ThreadParticipant[] } {
  const memberIds = new Set(state.participants.map(({ id }) => id));
  const visitors = [...presence.values()]
    .filter(({ participant, state: presenceState }) => !memberIds.has(participant) && presenceState !== 'offline')
    .map(({ participant, details }) => ({ id: participant, invited: false, muted: null, profile: details ?? {} }));
  const all = [...state.participants, ...visitors];
  const isMember = ({ id, invited, profile }: ThreadParticipant) =>
    id === me || invited || (memberIds.has(id) && profile.kind === 'human');
  const rank = ({ id, profile }: ThreadParticipant) => (id === me ? 0 : profile.kind === 'human' ? 1 : 2);
  return {
    members: all.filter(isMember).sort((a, b) => rank(a) - rank(b)),
    others: all.filter((each) => !isMember(each)),
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
      : [
          createAction(
            'Mute and fold messages',
            { mute: { targets: [id], mode: 'soft' } },
            `Mute ${id} and fold messages`,
          ),
        ]),
    ...(muted ? [createAction('Unmute', { unmute: { targets: [id] } })] : []),
    invited
      ? createAction('Remove', { uninvite: { participant_id: id } })
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
  return state.participants.find((each) => each.invited && isAuditor(each));
}

/** An auditor does not answer a message to everyone (T21). */
export function isAuditor({ profile }: Pick<ThreadParticipant, 'profile'>): boolean {
  return profile.roles?.includes('auditor') ?? false;
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

export type WakeAudience = WireThreadState['policy']['mode'];

/** The participants that a message to everyone wakes. */
export const AUDIENCES: readonly {
  readonly mode: WakeAudience;
  readonly name: string;
  readonly means: string;
  /** After "A message to everyone wakes". */
  readonly is: string;
}[] = [
  {
    mode: 'auto',
    name: 'Everyone in a small thread',
    means:
      'A message to everyone goes to all agents while there are at most three. Otherwise only those you mention answer.',
    is: 'agents, up to three',
  },
  {
    mode: 'small',
    name: 'Every agent',
    means: 'All agents answer a message to everyone, one after the other.',
    is: 'every agent',
  },
  {
    mode: 'large',
    name: 'Only when mentioned',
    means: 'Nobody answers a message to everyone.',
    is: 'only those named',
  },
];

const SMALL_THREAD_AGENTS = 3;

/** Whether a message to everyone wakes agents here. */
export function answersEveryone(state: WireThreadState): boolean {
  const audience = audienceOf(state);
  return (
    audience === 'small' || (audience === 'auto' && state.participants.filter(isAgent).length <= SMALL_THREAD_AGENTS)
  );
}

export function isAgent({ invited, profile }: ThreadParticipant): boolean {
  return invited && profile.kind !== 'human' && profile.kind !== 'automation';
}

/** When somebody answers, in few words: "answers everyone". */
export function describeAnswering(state: WireThreadState, participant: ThreadParticipant): string {
  const { muted, profile } = participant;
  if (muted) return muted === 'soft' ? 'muted, messages folded' : 'muted';
  if (!isAgent(participant)) return '';
  const drafts = profile.posting === 'draft' ? ', drafts first' : '';
  if (isAuditor(participant))
    return profile.every ? `audits every ${profile.every} messages${drafts}` : `audits when asked${drafts}`;
  return `${answersEveryone(state) ? 'answers everyone' : 'when mentioned'}${drafts}`;
}

/** The rules of who answers, in sentences. */
export function describeRules(state: WireThreadState): string {
  const { discussion, policy, ttl_seconds } = state;
  const means = AUDIENCES.find(({ mode }) => mode === audienceOf(state))?.means ?? '';
  const between = discussion.on
    ? `Agents can wake each other up to ${policy.hops ?? WAKE_HOPS} times in a row, then agents wait for a person.`
    : 'Agents do not wake each other.';
  const limit =
    ttl_seconds > 0 ? `They may continue for ${formatDuration(ttl_seconds)} after a person’s last message.` : '';
  return [means, between, limit].filter(Boolean).join(' ');
}

/** How often agents wake agents where nothing else is set; the same as in the rules of the core. */
const WAKE_HOPS = 4;

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
        createSetting(`Agents may continue ${label} after a human’s last message`, [{ ttl_seconds: seconds }]),
      ),
    ...AUDIENCES.filter(({ mode }) => mode !== audienceOf(state)).map(({ mode, is: label }) =>
      createSetting(`A message to everyone wakes ${label}`, audienceControls(state, mode)),
    ),
    createSetting(on ? 'Agents may not wake each other by a mention' : 'Agents may wake each other by a mention', [
      { discussion: { on: !on } },
    ]),
  ];
}
