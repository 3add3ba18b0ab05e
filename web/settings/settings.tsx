import { useCallback, useEffect, useState } from 'react';
import type { WireCredential } from '../../src/client/index.ts';
import { client } from '../data/session.ts';
import { useActions } from '../shell/actions.ts';
import { ListButton } from '../shell/frame.tsx';
import { ActionButton } from '../ui/action-button.tsx';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { Time } from '../ui/time.tsx';
import { BrowserSettings } from './browser.tsx';
import { ModelsSection } from './models.tsx';
import { SettingsSection } from './section.tsx';

/** Who may act here, and how this browser behaves. */
export function Settings({ me, onKeys }: { readonly me: WireCredential; onKeys(): void }) {
  const [credentials, setCredentials] = useState<readonly WireCredential[]>([]);
  const { attempt, busy, refusal } = useAttempt();
  const load = useCallback(async () => {
    const response = await attempt(() => client.credentials.list());
    if (response) setCredentials(response.credentials);
  }, [attempt]);
  useEffect(() => void load(), [load]);

  async function revoke(credential: WireCredential): Promise<void> {
    if (await attempt(() => client.credentials.revoke(credential.id))) await load();
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
      <ModelsSection />
      <SettingsSection id="tokens" label="Tokens">
        <h2>Participants and their tokens</h2>
        <IssueTokenForm onIssued={load} />
        <RefusalMessage reason={refusal} />
        <ul className="tokens">
          {credentials.map((credential) => (
            <li key={credential.id}>
              <span className="row-title">{credential.participant}</span>
              <span className="soft">
                {credential.use === 'session' ? 'signed-in browser' : `token of ${kindLabel(credential.kind)}`}
                {credential.id === me.id ? ', this one' : ''}, <Time ts={credential.created} />
              </span>
              {credential.id !== me.id && (
                <ActionButton disabled={busy} onClick={() => void revoke(credential)}>
                  Revoke
                </ActionButton>
              )}
            </li>
          ))}
        </ul>
      </SettingsSection>
      <BrowserSettings onKeys={onKeys} />
    </main>
  );
}

/** Shows the token of a participant: the same one each time, until it is revoked. */
function IssueTokenForm({ onIssued }: { onIssued(): Promise<void> }) {
  const { attempt, busy, refusal } = useAttempt();
  const [issuedToken, setIssuedToken] = useState<{ token: string; participant: string }>();

  async function issue(participant: string): Promise<void> {
    const created = await attempt(() => client.credentials.issue({ participant }));
    if (!created) return;
    setIssuedToken({ token: created.token, participant });
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
      {issuedToken && (
        <p className="issued" role="status">
          The token of {issuedToken.participant}: <code>{issuedToken.token}</code>
        </p>
      )}
      <RefusalMessage reason={refusal} />
    </form>
  );
}

function kindLabel(kind: WireCredential['kind']): string {
  return kind === 'human' ? 'a human' : kind === 'agent' ? 'an agent' : 'automation';
}
