import { type ReactNode, useEffect } from 'react';
import { loadSession } from '../data/session.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Mark } from '../ui/mark.tsx';
import { LiveLine } from '../ui/status/live-line.tsx';
import styles from './plain-page.module.css';

/**
 * The page without a session: explains how to sign in. Signed in elsewhere, it notices when it
 * becomes visible again.
 */
export function SignIn({ command }: { readonly command: string }) {
  useEffect(() => {
    const onVisibilityChange = () => document.visibilityState === 'visible' && void loadSession();
    document.addEventListener('visibilitychange', onVisibilityChange);
    return () => document.removeEventListener('visibilitychange', onVisibilityChange);
  }, []);
  return (
    <OutsidePage title="Sign in">
      <p>This browser is not signed in. In a terminal, run</p>
      <div className={styles.command}>
        <pre>
          <code>{command}</code>
        </pre>
        <CopyButton text={command} />
      </div>
      <p>and open the link it prints. It works once, for ten minutes. Your text is kept.</p>
    </OutsidePage>
  );
}

export function Unreachable() {
  return (
    <OutsidePage title="The server does not answer">
      <p role="status">This page tries again every second; your text is kept.</p>
      <LiveLine doing="Reconnecting" since={unreachableSince} />
    </OutsidePage>
  );
}

const unreachableSince = Date.now();

function OutsidePage({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <main className={styles.outside}>
      <div className={styles.column}>
        <p className={styles.name}>
          <Mark size={24} /> Heddle
        </p>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
