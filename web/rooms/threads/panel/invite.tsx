import type { WireThreadState } from '../../../../src/client/index.ts';
import type { Profile } from '../../../../src/core/threads/schema.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import { RefusalMessage, useAttempt } from '../../../ui/refusal.tsx';
import type { OpenThread } from '../data/thread.ts';
import { MAX_INSTRUCTIONS } from './instructions.tsx';
import { InviteModel } from './invite-model.tsx';
import type { PanelSections } from './sections.ts';

interface InviteProps {
  readonly thread: OpenThread;
  readonly state: WireThreadState;
  readonly sections: PanelSections;
}

/** Invites a participant, with an optional profile. */
export function Invite({ thread, state, sections }: InviteProps) {
  const { attempt, busy, refusal } = useAttempt();
  const isProfileOpen = sections.has('profile');
  const isModelListOpen = sections.has('models');

  async function invite(form: HTMLFormElement): Promise<void> {
    const data = new FormData(form);
    const participant_id = String(data.get('id') ?? '').trim();
    if (participant_id === '') return;
    const invitation = { participant_id, profile: readProfile(data) };
    const posted = await attempt(() => thread.remote.post({ type: 'control', content: { invite: invitation } }));
    if (!posted) return;
    form.reset();
    if (isProfileOpen) sections.toggle('profile');
  }

  return (
    <>
      <form
        className="invite"
        aria-label="Invite"
        onSubmit={(event) => {
          event.preventDefault();
          void invite(event.currentTarget);
        }}
      >
        <p className="line" data-part="invite">
          <input
            name="id"
            aria-label="Whom to invite"
            placeholder="Invite someone by id"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
          <button type="submit" className="act" disabled={busy}>
            Invite
          </button>
        </p>
        {isProfileOpen ? (
          <div data-part="profile">
            <input name="nickname" aria-label="Nickname" placeholder="Nickname" autoComplete="off" />
            <input name="roles" aria-label="Roles" placeholder="Roles, with commas between" autoComplete="off" />
            <input name="model" aria-label="Model" placeholder="Model" autoComplete="off" />
            <input name="client" aria-label="Client" placeholder="Client" autoComplete="off" />
            <textarea
              name="instructions"
              aria-label="Instructions"
              placeholder="Instructions"
              rows={3}
              dir="auto"
              maxLength={MAX_INSTRUCTIONS}
            />
          </div>
        ) : (
          <ActionButton onClick={() => sections.show('profile')}>With a profile</ActionButton>
        )}
        <RefusalMessage reason={refusal} />
      </form>
      <ActionButton aria-expanded={isModelListOpen} onClick={() => sections.toggle('models')}>
        Invite a model or agent
      </ActionButton>
      {isModelListOpen && <InviteModel thread={thread} state={state} onDone={() => sections.toggle('models')} />}
    </>
  );
}

function readProfile(data: FormData): Profile {
  const readField = (name: string) => String(data.get(name) ?? '').trim();
  const roles = readField('roles')
    .split(',')
    .map((role) => role.trim())
    .filter(Boolean);
  const fields = ['nickname', 'model', 'client', 'instructions'].map((name) => [name, readField(name)] as const);
  return { ...Object.fromEntries(fields.filter(([, value]) => value !== '')), ...(roles.length > 0 && { roles }) };
}
