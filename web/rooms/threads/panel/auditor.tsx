import { useState } from 'react';
import type { WireThreadState } from '../../../../src/client/index.ts';
import { THREAD_AUDITOR_1 } from '../../../../src/core/threads/audit/spec-1.ts';
import type { Control, Profile } from '../../../../src/core/threads/schema.ts';
import { takesFocus } from '../../../ui/focus.ts';
import { Refused, useWish } from '../../../ui/request.tsx';
import { visible } from '../../../ui/text/visible.ts';
import type { Thread } from '../data/thread.ts';
import { auditorIn } from './control-actions.ts';
import { freeId } from './invite-model.tsx';
import type { Folds } from './sections.ts';

interface AuditorProps {
  readonly thread: Thread;
  readonly state: WireThreadState;
  readonly folds: Folds;
}

/** Who audits the thread, by which words, and when: read by everyone, changed by people (T21). */
export function Auditor({ thread, state, folds }: AuditorProps) {
  const { wish, busy, refusal } = useWish();
  const isOpen = folds.has('auditor');
  const known = auditorIn(state);
  const post = (content: Control) => wish(() => thread.remote.post({ type: 'control', content }));

  async function keep(changes: Profile): Promise<void> {
    const participant_id = known?.id ?? freeId('auditor', new Set(state.participants.map(({ id }) => id)));
    const fresh: Profile = known ? {} : { kind: 'agent', client: 'model', roles: ['auditor'] };
    if (await post({ invite: { participant_id, profile: { ...fresh, ...changes } } })) folds.toggle('auditor');
  }

  return (
    <section aria-label="Auditor">
      <h2>Auditor</h2>
      {known ? (
        <p className="soft" dir="auto">
          {visible(known.id)}
          {known.profile.every ? `, after every ${known.profile.every} messages and when asked` : ', when asked'}
        </p>
      ) : (
        <p className="soft">Nobody audits this thread.</p>
      )}
      <fieldset className="controls" disabled={busy}>
        {known && (
          <button type="button" className="act" onClick={() => void post({ prod: [known.id] })}>
            Audit now
          </button>
        )}
        <button type="button" className="act" aria-expanded={isOpen} onClick={() => folds.toggle('auditor')}>
          {known ? 'Instructions' : 'Put an auditor on it'}
        </button>
      </fieldset>
      {isOpen && <Spec key={known?.profile.spec} profile={known?.profile} onKeep={keep} />}
      <Refused because={refusal} />
    </section>
  );
}

interface SpecProps {
  readonly profile: Profile | undefined;
  onKeep(changes: Profile): Promise<void>;
}

function Spec({ profile, onKeep }: SpecProps) {
  const before = profile?.spec ?? THREAD_AUDITOR_1;
  const [spec, setSpec] = useState(before);
  const [every, setEvery] = useState(String(profile?.every ?? ''));
  const count = every === '' ? undefined : Number(every);
  const changes = {
    ...((spec !== before || !profile) && { spec }),
    ...(count !== profile?.every && count && { every: count }),
  };
  return (
    <form
      className="auditor-spec"
      data-part="auditor"
      aria-label="Instructions of the auditor"
      onSubmit={(event) => {
        event.preventDefault();
        void onKeep(changes);
      }}
    >
      <textarea
        ref={takesFocus}
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
