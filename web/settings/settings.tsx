import { useCallback, useEffect, useState } from 'react';
import type { WireCredential } from '../../src/client/index.ts';
import { client } from '../data/session.ts';
import { useActions } from '../shell/actions.ts';
import { ListButton } from '../shell/frame.tsx';
import { Refused, useWish } from '../ui/request.tsx';
import { Time } from '../ui/time.tsx';
import { Anchor } from './anchor.tsx';
import { ThisBrowser } from './browser.tsx';
import { Models } from './models.tsx';

/** Who may act here, and how this browser behaves. */
export function Settings({ me, onKeys }: { readonly me: WireCredential; onKeys(): void }) {
  const [credentials, setCredentials] = useState<readonly WireCredential[]>([]);
  const { wish, busy, refusal } = useWish();
  const load = useCallback(async () => {
    const listed = await wish(() => client.credentials.list());
    if (listed) setCredentials(listed.credentials);
  }, [wish]);
  useEffect(() => void load(), [load]);

  async function revoke(credential: WireCredential): Promise<void> {
    if (await wish(() => client.credentials.revoke(credential.id))) await load();
  }

  const others = credentials.filter(({ id }) => id !== me.id);
  useActions(
    'Settings',
    others.map((credential) => ({
      name: `Revoke the ${credential.use} of ${credential.participant}, ${credential.created.slice(0, 16).replace('T', ' ')}`,
      act: () => void revoke(credential),
      many: true,
    })),
  );

  return (
    <main className="plain settings">
      <ListButton />
      <h1>Settings</h1>
      <Models />
      <Anchor id="tokens" label="Tokens">
        <h2>Participants and their tokens</h2>
        <Issue onIssued={load} />
        <Refused because={refusal} />
        <ul className="tokens">
          {credentials.map((credential) => (
            <li key={credential.id}>
              <span className="row-title">{credential.participant}</span>
              <span className="soft">
                {credential.use === 'session' ? 'signed-in browser' : `token of ${words(credential.kind)}`}
                {credential.id === me.id ? ', this one' : ''}, <Time ts={credential.created} />
              </span>
              {credential.id !== me.id && (
                <button type="button" className="act" disabled={busy} onClick={() => void revoke(credential)}>
                  Revoke
                </button>
              )}
            </li>
          ))}
        </ul>
      </Anchor>
      <ThisBrowser onKeys={onKeys} />
    </main>
  );
}

/** Shows the token of a participant: the same one each time, until it is revoked. */
function Issue({ onIssued }: { onIssued(): Promise<void> }) {
  const { wish, busy, refusal } = useWish();
  const [issued, setIssued] = useState<{ token: string; participant: string }>();

  async function issue(participant: string): Promise<void> {
    const made = await wish(() => client.credentials.issue({ participant }));
    if (!made) return;
    setIssued({ token: made.token, participant });
    await onIssued();
  }

  return (
    <form
      aria-label="Issue a token"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        void issue(String(new FormData(form).get('participant') ?? '').trim()).then(() => form.reset());
      }}
    >
      <p className="line">
        <input
          name="participant"
          aria-label="For whom"
          placeholder="Participant’s id"
          required
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
        <button type="submit" className="act" disabled={busy}>
          Issue a token
        </button>
      </p>
      {issued && (
        <p className="issued" role="status">
          The token of {issued.participant}: <code>{issued.token}</code>
        </p>
      )}
      <Refused because={refusal} />
    </form>
  );
}

function words(kind: WireCredential['kind']): string {
  return kind === 'human' ? 'a human' : kind === 'agent' ? 'an agent' : 'automation';
}
