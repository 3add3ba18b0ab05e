import type { ControlName } from '../schema.ts';

const IDS = '["id", …]';
const ON_OFF = '{"on": true or false}';
const PROFILE =
  '{"nickname", "roles", "client", "model", "kind", "posting", "instructions", "spec", "every"}, all optional';

/** The expected content of each control, shown to people who sent something else (T5). */
export const controlForms: { readonly [Name in ControlName]: string } = {
  mute: `{"targets": ${IDS}, "mode": "hard" or "soft"}`,
  unmute: `{"targets": ${IDS}}`,
  pause: ON_OFF,
  prod: IDS,
  done: 'true',
  ttl_seconds: 'a whole number of seconds from 0 to 31536000',
  discussion: '{"on": true or false, "allow_agent_mentions": true or false}',
  invited_auto: ON_OFF,
  invite: `{"participant_id": "id", "profile": ${PROFILE}}`,
  uninvite: '{"participant_id": "id"}',
  profile: PROFILE,
  policy: '{"mode": "small", "large" or "auto", "hops": 0 to 64, "wakes": 0 to 1024}',
  continue: 'true',
  resume: 'true',
  presence_log: ON_OFF,
  budget: '{"tokens", "money", "seconds", "messages"}, each a number above 0, all optional',
  rename: '{"title": "1 to 200 characters"}',
};
