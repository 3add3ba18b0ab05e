import type { WireThreadState } from '../../../../src/client/index.ts';
import { AUDITOR_SPEC_1 } from '../../../../src/core/threads/audit/spec-1.ts';
import { WAKE_LIMITS } from '../../../../src/core/threads/policy/policy.ts';
import type { Control, Profile } from '../../../../src/core/threads/schema.ts';
import { audienceControls, audienceOf, findAuditor, isAgent, type WakeAudience } from '../panel/control-actions.ts';
import { uniqueId } from './unique-id.ts';

/** The settings of a thread as a person edits them. Numbers are texts until they are saved. */
export interface SettingsForm {
  readonly audience: WakeAudience;
  readonly isDiscussing: boolean;
  readonly hops: string;
  readonly ttl: number;
  readonly money: string;
  readonly tokens: string;
  /** The id of the auditor, or one of the two below. */
  readonly auditor: string;
  readonly auditEvery: string;
  readonly auditSpec: string;
  /** Whether all agents draft first; undefined if only some do. */
  readonly isDrafting: boolean | undefined;
  /** By participant. */
  readonly instructions: Readonly<Record<string, string>>;
}

export const NO_AUDITOR = 'nobody';
export const NEW_AUDITOR = 'new';

export function readSettings(state: WireThreadState): SettingsForm {
  const auditor = findAuditor(state);
  const agents = state.participants.filter(isAgent);
  const drafting = agents.filter(({ profile }) => profile.posting === 'draft');
  return {
    audience: audienceOf(state),
    isDiscussing: state.discussion.on,
    hops: String(state.policy.hops ?? WAKE_LIMITS.hops),
    ttl: state.ttl_seconds,
    money: String(state.budget.money ?? ''),
    tokens: String(state.budget.tokens ?? ''),
    auditor: auditor?.id ?? NO_AUDITOR,
    auditEvery: String(auditor?.profile.every ?? ''),
    auditSpec: auditor?.profile.spec ?? AUDITOR_SPEC_1,
    isDrafting: drafting.length === 0 ? false : drafting.length === agents.length ? true : undefined,
    instructions: Object.fromEntries(
      agents.filter(({ id }) => id !== auditor?.id).map(({ id, profile }) => [id, profile.instructions ?? '']),
    ),
  };
}

/** The controls that bring a thread from its settings to these; none if nothing was changed. */
export function settingsControls(state: WireThreadState, form: SettingsForm): readonly Control[] {
  const before = readSettings(state);
  const isChanged = (field: keyof SettingsForm) => form[field] !== before[field];
  const audience = isChanged('audience') ? audienceControls(state, form.audience) : [];
  const hops = Number(form.hops);
  return [
    ...audience,
    ...(isChanged('hops') && Number.isInteger(hops) && form.hops !== ''
      ? [{ policy: { ...policyAfter(state, form.audience), hops } }]
      : []),
    ...(isChanged('isDiscussing') ? [{ discussion: { on: form.isDiscussing } }] : []),
    ...(isChanged('ttl') ? [{ ttl_seconds: form.ttl }] : []),
    ...(isChanged('money') || isChanged('tokens')
      ? [{ budget: { money: Number(form.money), tokens: Number(form.tokens) } }]
      : []),
    ...auditorControls(state, form, before),
    ...postingControls(state, form, before),
    ...Object.entries(form.instructions)
      .filter(([id, text]) => text.trim() !== (before.instructions[id] ?? ''))
      .map(([id, text]): Control => ({ invite: { participant_id: id, profile: { instructions: text.trim() } } })),
  ];
}

function policyAfter({ policy }: WireThreadState, mode: WakeAudience): WireThreadState['policy'] {
  return { ...policy, mode };
}

function postingControls(state: WireThreadState, form: SettingsForm, before: SettingsForm): readonly Control[] {
  const { isDrafting } = form;
  if (isDrafting === undefined || isDrafting === before.isDrafting) return [];
  const posting = isDrafting ? 'draft' : 'direct';
  return state.participants
    .filter(isAgent)
    .filter(({ profile }) => (profile.posting === 'draft') !== isDrafting)
    .map(({ id }) => ({ invite: { participant_id: id, profile: { posting } } }));
}

function auditorControls(state: WireThreadState, form: SettingsForm, before: SettingsForm): readonly Control[] {
  const removal: readonly Control[] =
    before.auditor !== NO_AUDITOR && form.auditor !== before.auditor
      ? [{ uninvite: { participant_id: before.auditor } }]
      : [];
  if (form.auditor === NO_AUDITOR) return removal;
  const isNew = form.auditor !== before.auditor;
  const every = form.auditEvery === '' ? undefined : Number(form.auditEvery);
  const profile: Profile = {
    ...(isNew && { kind: 'agent', client: 'model', roles: ['auditor'] }),
    ...((isNew || form.auditSpec !== before.auditSpec) && { spec: form.auditSpec }),
    ...(every !== undefined && (isNew || form.auditEvery !== before.auditEvery) && { every }),
  };
  if (Object.keys(profile).length === 0) return removal;
  const ids = new Set(state.participants.map(({ id }) => id));
  const participant_id = form.auditor === NEW_AUDITOR ? uniqueId('auditor', ids) : form.auditor;
  return [...removal, { invite: { participant_id, profile } }];
}
