import { useCallback, useEffect, useState } from 'react';
import type { WireCredential } from '../../src/client/index.ts';
import { client } from '../data/session.ts';
import { useActions } from '../shell/actions.ts';
import { Button } from '../ui/controls/button.tsx';
import { TextField } from '../ui/controls/field.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Face } from '../ui/people/participant.tsx';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { Tag } from '../ui/status/badge.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { Time } from '../ui/time.tsx';
import { Row, Rows } from './rows.tsx';
import { SettingsSection } from './section.tsx';
import styles from './tokens.module.css';

/** Who may act here. */
export function TokensSection({ me }: { readonly me: WireCredential }) {
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
    <SettingsSection
      id="tokens"
      label="People and tokens"
      text="A token lets a program act as a participant. Revoking one takes effect at once."
    >
      <IssueTokenForm onIssued={load} />
      <RefusalMessage reason={refusal} />
      <Rows label="Tokens and signed-in browsers">
        {credentials.map((credential) => (
          <Row
            key={credential.id}
            icon={<Face id={credential.participant} />}
            title={escapeBidi(credential.participant)}
            text={
              <>
                {credential.use === 'session' ? 'Signed-in browser' : `Token of ${kindLabel(credential.kind)}`} ·{' '}
                <Time ts={credential.created} />
              </>
            }
            actions={
              credential.id === me.id ? (
                <Tag>This browser</Tag>
              ) : (
                <Button disabled={busy} onClick={() => void revoke(credential)}>
                  Revoke
                </Button>
              )
            }
          />
        ))}
      </Rows>
    </SettingsSection>
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
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        void issue(String(new FormData(form).get('participant') ?? '').trim()).then(() => form.reset());
      }}
    >
      <TextField
        name="participant"
        label="For participant"
        placeholder="ID, such as scout"
        required
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        error={refusal}
      />
      <Button type="submit" disabled={busy}>
        Issue a token
      </Button>
      {issuedToken && (
        <div className={styles.issued} role="status">
          <p>
            The token of {escapeBidi(issuedToken.participant)}: <code>{issuedToken.token}</code>
          </p>
          <CopyButton text={issuedToken.token} />
        </div>
      )}
    </form>
  );
}

function kindLabel(kind: WireCredential['kind']): string {
  return kind === 'human' ? 'a person' : kind === 'agent' ? 'an agent' : 'an automation';
}
