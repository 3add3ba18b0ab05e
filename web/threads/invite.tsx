import { useState } from 'react';
import type { WireThreadState } from '../../src/client/index.ts';
import type { Profile } from '../../src/core/threads/schema.ts';
import { Refused, useWish } from '../refused.tsx';
import { InviteModel } from './invite-model.tsx';
import type { Thread } from './thread.ts';

/** Asks somebody into the thread, with as much of a profile as one cares to give. */
export function Invite({ thread, state }: { readonly thread: Thread; readonly state: WireThreadState }) {
  const { wish, busy, refusal } = useWish();
  const [more, setMore] = useState(false);
  const [models, setModels] = useState(false);

  async function invite(form: HTMLFormElement): Promise<void> {
    const data = new FormData(form);
    const participant_id = String(data.get('id') ?? '').trim();
    if (participant_id === '') return;
    const invitation = { participant_id, profile: profileOf(data) };
    const done = await wish(() => thread.remote.post({ type: 'control', content: { invite: invitation } }));
    if (!done) return;
    form.reset();
    setMore(false);
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
        <p className="line">
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
          <>
            <input name="nickname" aria-label="Nickname" placeholder="Nickname" autoComplete="off" />
            <input name="roles" aria-label="Roles" placeholder="Roles, with commas between" autoComplete="off" />
            <input name="model" aria-label="Model" placeholder="Model" autoComplete="off" />
            <input name="client" aria-label="Client" placeholder="Client" autoComplete="off" />
          </>
        ) : (
          <button type="button" className="act" onClick={() => setMore(true)}>
            With a profile
          </button>
        )}
        <Refused because={refusal} />
      </form>
      <button type="button" className="act" aria-expanded={models} onClick={() => setModels(!models)}>
        Invite a model or agent
      </button>
      {models && <InviteModel thread={thread} state={state} onDone={() => setModels(false)} />}
    </>
  );
}

function profileOf(data: FormData): Profile {
  const given = (name: string) => String(data.get(name) ?? '').trim();
  const roles = given('roles')
    .split(',')
    .map((role) => role.trim())
    .filter(Boolean);
  const fields = Object.entries({ nickname: given('nickname'), model: given('model'), client: given('client') });
  return { ...Object.fromEntries(fields.filter(([, value]) => value !== '')), ...(roles.length > 0 && { roles }) };
}
