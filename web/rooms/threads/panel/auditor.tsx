import { useState } from 'react';
import type { WireThreadState } from '../../../../src/client/index.ts';
import { AUDITOR_SPEC_1 } from '../../../../src/core/threads/audit/spec-1.ts';
import type { Control, Profile } from '../../../../src/core/threads/schema.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import { focusOnMount } from '../../../ui/focus.ts';
import { handleSubmit } from '../../../ui/handle-submit.ts';
import { RefusalMessage, useAttempt } from '../../../ui/refusal.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import type { OpenThread } from '../data/thread.ts';
import { findAuditor } from './control-actions.ts';
import { uniqueId } from './invite-model.tsx';
import type { PanelSections } from './sections.ts';

interface AuditorProps {
  readonly thread: OpenThread;
  readonly state: WireThreadState;
  readonly sections: PanelSections;
}

/** The thread's auditor, its instructions and its schedule: everyone can read them, people can change them (T21). */
export function Auditor({ thread, state, sections }: AuditorProps) {
  const { attempt, busy, refusal } = useAttempt();
  const isOpen = sections.has('auditor');
  const auditor = findAuditor(state);
  const post = (content: Control) => attempt(() => thread.remote.post({ type: 'control', content }));

  async function saveProfile(changes: Profile): Promise<void> {
    const participant_id = auditor?.id ?? uniqueId('auditor', new Set(state.participants.map(({ id }) => id)));
    const defaults: Profile = auditor ? {} : { kind: 'agent', client: 'model', roles: ['auditor'] };
    if (await post({ invite: { participant_id, profile: { ...defaults, ...changes } } })) sections.toggle('auditor');
  }

  return (
    <section aria-label="Auditor">
      <h2>Auditor</h2>
      {auditor ? (
        <p className="soft" dir="auto">
          {escapeBidi(auditor.id)}
          {auditor.profile.every ? `, after every ${auditor.profile.every} messages and when asked` : ', when asked'}
        </p>
      ) : (
        <p className="soft">Nobody audits this thread.</p>
      )}
      <fieldset className="controls" disabled={busy}>
        {auditor && <ActionButton onClick={() => void post({ prod: [auditor.id] })}>Audit now</ActionButton>}
        <ActionButton aria-expanded={isOpen} onClick={() => sections.toggle('auditor')}>
          {auditor ? 'Instructions' : 'Put an auditor on it'}
        </ActionButton>
      </fieldset>
      {isOpen && <AuditorSpecForm key={auditor?.profile.spec} profile={auditor?.profile} onSave={saveProfile} />}
      <RefusalMessage reason={refusal} />
    </section>
  );
}

interface AuditorSpecFormProps {
  readonly profile: Profile | undefined;
  onSave(changes: Profile): Promise<void>;
}

function AuditorSpecForm({ profile, onSave }: AuditorSpecFormProps) {
  const savedSpec = profile?.spec ?? AUDITOR_SPEC_1;
  const [spec, setSpec] = useState(savedSpec);
  const [every, setEvery] = useState(String(profile?.every ?? ''));
  const interval = every === '' ? undefined : Number(every);
  const changes = {
    ...((spec !== savedSpec || !profile) && { spec }),
    ...(interval !== profile?.every && interval && { every: interval }),
  };
  return (
    <form
      className="auditor-spec"
      data-part="auditor"
      aria-label="Instructions of the auditor"
      onSubmit={handleSubmit(() => onSave(changes))}
    >
      <textarea
        ref={focusOnMount}
        aria-label="Instructions"
        rows={12}
        dir="auto"
        maxLength={16_000}
        required
        value={spec}
        onChange={(event) => setSpec(event.target.value)}
      />
      <label>
        <span className="soft">after every </span>
        <input
          type="number"
          min={1}
          max={1000}
          placeholder="–"
          value={every}
          onChange={(event) => setEvery(event.target.value)}
        />
        <span className="soft"> messages, and when asked</span>
      </label>
      <button type="submit" className="act" disabled={profile !== undefined && Object.keys(changes).length === 0}>
        {profile ? 'Change it' : 'Put it on the thread'}
      </button>
    </form>
  );
}
