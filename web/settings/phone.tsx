import { Suspense, useCallback, useEffect, useState } from 'react';
import { client } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { Button } from '../ui/controls/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { lazyWithRetry } from '../ui/lazy.ts';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { clock, formatClock } from '../ui/time.tsx';
import styles from './phone.module.css';
import { SettingsSection } from './section.tsx';

const QrCode = lazyWithRetry(async () => (await import('./qr-code.tsx')).QrCode);

interface SignInLink {
  readonly url: string;
  readonly expires: string;
}

/** A one-time link for another device, where other devices reach the server (I22). */
export function PhoneSection() {
  const { attempt, busy, refusal } = useAttempt();
  const [reach, setReach] = useState<{ readonly address: string | undefined }>();
  const [link, setLink] = useState<SignInLink>();
  const load = useCallback(async () => {
    const answer = await attempt(() => client.me());
    if (answer) setReach({ address: answer.address });
  }, [attempt]);
  useEffect(() => void load(), [load]);

  async function makeLink(address: string): Promise<void> {
    const made = await attempt(() => client.signInLink());
    if (!made) return;
    // The link names the address this page was opened at, which may be one that only this machine has.
    const { pathname, search } = new URL(made.url);
    setLink({ url: address + pathname + search, expires: made.expires });
  }

  const address = reach?.address;
  return (
    <SettingsSection
      id="phone"
      label="Sign in on your phone"
      text="Scan a code instead of typing. On the phone, add the page to the home screen to open it like an app, even offline."
    >
      {reach && !address && <OnlyHere />}
      {address && link && <LinkCard link={link} />}
      {address && (
        <Button disabled={busy} onClick={() => void makeLink(address)}>
          {link ? 'New QR code' : 'Show a QR code'}
        </Button>
      )}
      <RefusalMessage reason={refusal} />
    </SettingsSection>
  );
}

function OnlyHere() {
  return (
    <div className={styles.note}>
      <p>This server answers only on this machine, so a phone cannot reach it. Start it with a certificate:</p>
      <pre>
        <code>heddle serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem</code>
      </pre>
      <p>Or put a proxy with https in front of it and name it:</p>
      <pre>
        <code>heddle serve --behind-proxy --allow-host heddle.example.org</code>
      </pre>
      <p>
        <code>heddle serve --help</code> explains the options.
      </p>
    </div>
  );
}

function LinkCard({ link: { url, expires } }: { readonly link: SignInLink }) {
  const isOver = useStore(clock) > Date.parse(expires);
  if (isOver) return <p role="status">This code has expired. Make a new one.</p>;
  return (
    <div className={styles.card}>
      <Suspense fallback={<div className={styles.code} />}>
        <QrCode text={url} label="QR code of the sign-in link" />
      </Suspense>
      <div className={styles.about}>
        <p role="status">
          Point your phone’s camera at the code. It signs that phone in as you, once, until{' '}
          {formatClock(new Date(expires))}. Show it to nobody else.
        </p>
        <div className={styles.link}>
          <code>{url}</code>
          <CopyButton text={url} />
        </div>
      </div>
    </div>
  );
}
