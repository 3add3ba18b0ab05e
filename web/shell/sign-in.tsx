import { useEffect } from 'react';
import { loadSession } from '../data/session.ts';

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
    <main className="plain">
      <h1>Heddle</h1>
      <p>This browser is not signed in. In a terminal, run</p>
      <pre>
        <code>{command}</code>
      </pre>
      <p>and open the link it prints. It works once, for ten minutes. What you wrote here is kept.</p>
    </main>
  );
}

export function Unreachable() {
  return (
    <main className="plain">
      <h1>Heddle</h1>
      <p role="status">The server does not answer. This page tries again every second; what you wrote is kept.</p>
    </main>
  );
}
