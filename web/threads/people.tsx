import { useState } from 'react';
import type { WirePresence, WireThreadState } from '../../src/client/index.ts';
import type { Control } from '../../src/core/threads/schema.ts';
import { Person } from '../person.tsx';
import { Refused, useWish } from '../refused.tsx';
import { useStore } from '../store.ts';
import { visible } from '../text/visible.ts';
import { Auditor } from './auditor.tsx';
import { Invite } from './invite.tsx';
import { presenceWords } from './presence-words.ts';
import type { Thread } from './thread.ts';

type Participant = WireThreadState['participants'][number];

/** Who is asked into the thread and who is there: two things, shown apart (T2). */
export function People({ thread, state }: { readonly thread: Thread; readonly state: WireThreadState }) {
  const presence = useStore(thread.presence);
  const [open, setOpen] = useState<string>();
  const known = new Set(state.participants.map(({ id }) => id));
  const strangers = [...presence.values()].filter(
    ({ participant, state }) => !known.has(participant) && state !== 'offline',
  );
  const present: Participant[] = strangers.map(({ participant, details }) => ({
    id: participant,
    invited: false,
    muted: null,
    profile: details ?? {},
  }));
  const invited = state.participants.filter((participant) => participant.invited);
  const others = [...state.participants.filter((participant) => !participant.invited), ...present];

  const row = (participant: Participant) => (
    <PersonRow
      key={participant.id}
      thread={thread}
      participant={participant}
      presence={presence.get(participant.id)}
      isOpen={open === participant.id}
      onToggle={() => setOpen(open === participant.id ? undefined : participant.id)}
    />
  );
  return (
    <section aria-label="People">
      <h2>Invited</h2>
      {invited.length > 0 ? <ul className="people">{invited.map(row)}</ul> : <p className="soft">Nobody yet.</p>}
      <Invite thread={thread} state={state} />
      <Auditor thread={thread} state={state} />
      <h2>Others</h2>
      <ul className="people">{others.map(row)}</ul>
    </section>
  );
}

interface PersonRowProps {
  readonly thread: Thread;
  readonly participant: Participant;
  readonly presence: WirePresence | undefined;
  readonly isOpen: boolean;
  onToggle(): void;
}

function PersonRow({ thread, participant, presence, isOpen, onToggle }: PersonRowProps) {
  const { id, invited, muted, profile } = participant;
  const { wish, busy, refusal } = useWish();
  const control = (content: Control) => () => void wish(() => thread.remote.post({ type: 'control', content }));
  const about = [
    profile.nickname,
    profile.kind === 'human' ? 'a human' : profile.model,
    ...(profile.roles ?? []),
  ].filter((word) => word !== undefined && word !== '');
  return (
    <li>
      <button type="button" className="person-row" aria-expanded={isOpen} onClick={onToggle}>
        <Person id={id} />
        <span className="soft">
          {[presenceWords(presence), muted && (muted === 'soft' ? 'muted softly' : 'muted')].filter(Boolean).join(', ')}
        </span>
      </button>
      {isOpen && (
        <fieldset className="person-acts" disabled={busy} aria-label={`What to do about ${id}`}>
          {about.length > 0 && (
            <p className="soft" dir="auto">
              {visible(about.join(', '))}
            </p>
          )}
          {id !== thread.me && (
            <button type="button" className="act" onClick={control({ prod: [id] })}>
              Prod
            </button>
          )}
          {muted !== 'hard' && (
            <button type="button" className="act" onClick={control({ mute: { targets: [id], mode: 'hard' } })}>
              Mute
            </button>
          )}
          {!muted && (
            <button type="button" className="act" onClick={control({ mute: { targets: [id], mode: 'soft' } })}>
              Mute softly
            </button>
          )}
          {muted && (
            <button type="button" className="act" onClick={control({ unmute: { targets: [id] } })}>
              Unmute
            </button>
          )}
          {invited ? (
            <button type="button" className="act" onClick={control({ uninvite: { participant_id: id } })}>
              Uninvite
            </button>
          ) : (
            <button type="button" className="act" onClick={control({ invite: { participant_id: id, profile: {} } })}>
              Invite
            </button>
          )}
          {invited && profile.kind !== 'human' && (
            <label>
              <input
                type="checkbox"
                checked={profile.posting === 'draft'}
                onChange={({ target }) =>
                  control({
                    invite: { participant_id: id, profile: { posting: target.checked ? 'draft' : 'direct' } },
                  })()
                }
              />
              <span className="soft"> it drafts, and I decide what is posted</span>
            </label>
          )}
          <Refused because={refusal} />
        </fieldset>
      )}
    </li>
  );
}
