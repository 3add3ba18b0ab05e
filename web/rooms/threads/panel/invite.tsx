import type { WireThreadState } from '../../../../src/client/index.ts';
import type { Profile } from '../../../../src/core/threads/schema.ts';
import { Refused, useWish } from '../../../ui/request.tsx';
import type { Thread } from '../data/thread.ts';
import { LONGEST_INSTRUCTIONS } from './instructions.tsx';
import { InviteModel } from './invite-model.tsx';
import type { Folds } from './sections.ts';

interface InviteProps {
  readonly thread: Thread;
  readonly state: WireThreadState;
  readonly folds: Folds;
}

/** Asks somebody into the thread, with as much of a profile as one cares to give. */
export function Invite({ thread, state, folds }: InviteProps) {
  const { wish, busy, refusal } = useWish();
  const more = folds.has('profile');
  const models = folds.has('models');

  async function invite(form: HTMLFormElement): Promise<void> {
    const data = new FormData(form);
    const participant_id = String(data.get('id') ?? '').trim();
    if (participant_id === '') return;
    const invitation = { participant_id, profile: profileOf(data) };
    const done = await wish(() => thread.remote.post({ type: 'control', content: { invite: invitation } }));
    if (!done) return;
    form.reset();
    if (more) folds.toggle('profile');
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
        {more ? (
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
              maxLength={LONGEST_INSTRUCTIONS}
            />
          </div>
        ) : (
          <button type="button" className="act" onClick={() => folds.show('profile')}>
            With a profile
          </button>
        )}
        <Refused because={refusal} />
      </form>
      <button type="button" className="act" aria-expanded={models} onClick={() => folds.toggle('models')}>
        Invite a model or agent
      </button>
      {models && <InviteModel thread={thread} state={state} onDone={() => folds.toggle('models')} />}
    </>
  );
}

function profileOf(data: FormData): Profile {
  const given = (name: string) => String(data.get(name) ?? '').trim();
  const roles = given('roles')
    .split(',')
    .map((role) => role.trim())
    .filter(Boolean);
  const fields = ['nickname', 'model', 'client', 'instructions'].map((name) => [name, given(name)] as const);
  return { ...Object.fromEntries(fields.filter(([, value]) => value !== '')), ...(roles.length > 0 && { roles }) };
}
