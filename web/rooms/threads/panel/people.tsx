import type { WirePresence, WireThreadState } from '../../../../src/client/index.ts';
import type { Control } from '../../../../src/core/threads/schema.ts';
import { describePresence } from '../../../../src/core/threads/view/presence.ts';
import { useStore } from '../../../data/store.ts';
import { Person } from '../../../ui/person.tsx';
import { RefusalMessage, useAttempt } from '../../../ui/refusal.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import type { OpenThread } from '../data/thread.ts';
import { Auditor } from './auditor.tsx';
import { participantActions, postingAction, splitParticipants, type ThreadParticipant } from './control-actions.ts';
import { Instructions } from './instructions.tsx';
import { Invite } from './invite.tsx';
import { SandboxNote } from './sandbox-note.tsx';
import type { PanelSections } from './sections.ts';

interface PeopleProps {
  readonly thread: OpenThread;
  readonly state: WireThreadState;
  readonly sections: PanelSections;
}

/** Invited participants and those present (T2). */
export function People({ thread, state, sections }: PeopleProps) {
  const presence = useStore(thread.presence);
  const isConnected = useStore(thread.connection) === 'open';
  const { invited, others } = splitParticipants(state, presence);
  const row = (participant: ThreadParticipant) => (
    <PersonRow
      key={participant.id}
      thread={thread}
      participant={participant}
      presence={isConnected ? presence.get(participant.id) : undefined}
      isOpen={sections.has(`@${participant.id}`)}
      onToggle={() => sections.toggle(`@${participant.id}`)}
    />
  );
  return (
    <section aria-label="People">
      {!isConnected && <p className="soft">Not connected, so who is online is not known.</p>}
      <h2>Invited</h2>
      {invited.length > 0 ? <ul className="people">{invited.map(row)}</ul> : <p className="soft">Nobody yet.</p>}
      <Invite thread={thread} state={state} sections={sections} />
      <Auditor thread={thread} state={state} sections={sections} />
      <h2>Others</h2>
      <ul className="people">{others.map(row)}</ul>
    </section>
  );
}

interface PersonRowProps {
  readonly thread: OpenThread;
  readonly participant: ThreadParticipant;
  readonly presence: WirePresence | undefined;
  readonly isOpen: boolean;
  onToggle(): void;
}

function PersonRow({ thread, participant, presence, isOpen, onToggle }: PersonRowProps) {
  const { id, muted, profile } = participant;
  const { attempt, busy, refusal } = useAttempt();
  const posting = postingAction(participant);
  const post = (controls: readonly Control[]) => void attempt(() => thread.control(controls));
  const facts = [
    profile.nickname,
    profile.kind === 'human' ? 'a human' : profile.model,
    ...(profile.roles ?? []),
  ].filter((word) => word !== undefined && word !== '');
  return (
    <li data-part={`@${id}`}>
      <button type="button" className="person-row" aria-expanded={isOpen} onClick={onToggle}>
        <Person id={id} />
        <span className="soft">
          {[describePresence(presence), muted && (muted === 'soft' ? 'muted softly' : 'muted')]
            .filter(Boolean)
            .join(', ')}
        </span>
      </button>
      {isOpen && (
        <fieldset className="person-acts" disabled={busy} aria-label={`What to do about ${id}`}>
          {facts.length > 0 && (
            <p className="soft" dir="auto">
              {escapeBidi(facts.join(', '))}
            </p>
          )}
          <SandboxNote client={profile.client} />
          {participantActions(participant, thread.me).map(({ name, controls }) => (
            <button key={name} type="button" className="act" onClick={() => post(controls)}>
              {name}
            </button>
          ))}
          {posting && (
            <label>
              <input type="checkbox" checked={profile.posting === 'draft'} onChange={() => post(posting.controls)} />
              <span className="soft"> Approve before posting</span>
            </label>
          )}
          {posting && !profile.roles?.includes('auditor') && (
            <Instructions key={profile.instructions} participant={participant} onPost={post} />
          )}
          <RefusalMessage reason={refusal} />
        </fieldset>
      )}
    </li>
  );
}
