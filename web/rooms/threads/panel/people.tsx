import type { WirePresence, WireThreadState } from '../../../../src/client/index.ts';
import type { Control } from '../../../../src/core/threads/schema.ts';
import { useStore } from '../../../data/store.ts';
import { Person } from '../../../ui/person.tsx';
import { Refused, useWish } from '../../../ui/request.tsx';
import { visible } from '../../../ui/text/visible.ts';
import type { Thread } from '../data/thread.ts';
import { presenceWords } from '../wording/presence.ts';
import { Auditor } from './auditor.tsx';
import { actsOn, type Participant, peopleOf, postingOf } from './control-actions.ts';
import { Instructions } from './instructions.tsx';
import { Invite } from './invite.tsx';
import { Isolation } from './sandbox-note.tsx';
import type { Folds } from './sections.ts';

interface PeopleProps {
  readonly thread: Thread;
  readonly state: WireThreadState;
  readonly folds: Folds;
}

/** Who is asked into the thread and who is there (T2). */
export function People({ thread, state, folds }: PeopleProps) {
  const presence = useStore(thread.presence);
  const { invited, others } = peopleOf(state, presence);
  const row = (participant: Participant) => (
    <PersonRow
      key={participant.id}
      thread={thread}
      participant={participant}
      presence={presence.get(participant.id)}
      isOpen={folds.has(`@${participant.id}`)}
      onToggle={() => folds.toggle(`@${participant.id}`)}
    />
  );
  return (
    <section aria-label="People">
      <h2>Invited</h2>
      {invited.length > 0 ? <ul className="people">{invited.map(row)}</ul> : <p className="soft">Nobody yet.</p>}
      <Invite thread={thread} state={state} folds={folds} />
      <Auditor thread={thread} state={state} folds={folds} />
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
  const { id, muted, profile } = participant;
  const { wish, busy, refusal } = useWish();
  const posting = postingOf(participant);
  const post = (controls: readonly Control[]) => void wish(() => thread.control(controls));
  const about = [
    profile.nickname,
    profile.kind === 'human' ? 'a human' : profile.model,
    ...(profile.roles ?? []),
  ].filter((word) => word !== undefined && word !== '');
  return (
    <li data-part={`@${id}`}>
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
          <Isolation client={profile.client} />
          {actsOn(participant, thread.me).map(({ name, controls }) => (
            <button key={name} type="button" className="act" onClick={() => post(controls)}>
              {name}
            </button>
          ))}
          {posting && (
            <label>
              <input type="checkbox" checked={profile.posting === 'draft'} onChange={() => post(posting.controls)} />
              <span className="soft"> it drafts, and I decide what is posted</span>
            </label>
          )}
          {posting && !profile.roles?.includes('auditor') && (
            <Instructions key={profile.instructions} participant={participant} onPost={post} />
          )}
          <Refused because={refusal} />
        </fieldset>
      )}
    </li>
  );
}
