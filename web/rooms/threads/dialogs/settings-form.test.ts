import { expect, test } from 'vitest';
import type { WireThreadState } from '../../../../src/client/index.ts';
import { NEW_AUDITOR, NO_AUDITOR, readSettings, settingsControls } from './settings-form.ts';

const agent = (id: string, more: object = {}) => ({
  id,
  invited: true,
  muted: null,
  profile: { kind: 'agent', ...more },
});

function state(...participants: object[]): WireThreadState {
  return {
    participants,
    policy: { mode: 'auto' },
    invited_auto: false,
    discussion: { on: false, allow_agent_mentions: false },
    ttl_seconds: 0,
    budget: { tokens: 500 },
  } as unknown as WireThreadState;
}

test('[I12] settings that nobody changed post nothing', () => {
  const thread = state(agent('muse', { instructions: 'Be brief.' }), agent('judge', { roles: ['auditor'], every: 5 }));
  expect(settingsControls(thread, readSettings(thread))).toEqual([]);
});

test('[I12] only what was changed is posted, and a limit that was emptied is lifted', () => {
  const thread = state(agent('muse'));
  const form = { ...readSettings(thread), audience: 'large' as const, hops: '2', tokens: '', ttl: 300 };
  expect(settingsControls(thread, { ...form, instructions: { muse: ' Be brief. ' } })).toEqual([
    { policy: { mode: 'large' } },
    { policy: { mode: 'large', hops: 2 } },
    { ttl_seconds: 300 },
    { budget: { money: 0, tokens: 0 } },
    { invite: { participant_id: 'muse', profile: { instructions: 'Be brief.' } } },
  ]);
});

test('[T19] approval before posting is turned for those that do not have it', () => {
  const thread = state(agent('muse', { posting: 'draft' }), agent('scout'));
  const form = readSettings(thread);
  expect(form.isDrafting).toBeUndefined();
  expect(settingsControls(thread, { ...form, isDrafting: true })).toEqual([
    { invite: { participant_id: 'scout', profile: { posting: 'draft' } } },
  ]);
});

test('[T21] an auditor is put on the thread, changed and taken off', () => {
  const none = state(agent('auditor'));
  const added = { ...readSettings(none), auditor: NEW_AUDITOR, auditEvery: '20', auditSpec: 'Only count.' };
  const profile = { kind: 'agent', client: 'model', roles: ['auditor'], spec: 'Only count.', every: 20 };
  expect(settingsControls(none, added)).toEqual([{ invite: { participant_id: 'auditor-2', profile } }]);
  const some = state(agent('judge', { roles: ['auditor'], spec: 'Only count.' }));
  expect(settingsControls(some, { ...readSettings(some), auditEvery: '3' })).toEqual([
    { invite: { participant_id: 'judge', profile: { every: 3 } } },
  ]);
  expect(settingsControls(some, { ...readSettings(some), auditor: NO_AUDITOR })).toEqual([
    { uninvite: { participant_id: 'judge' } },
  ]);
});
