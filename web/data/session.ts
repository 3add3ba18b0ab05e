import { createClient, HeddleRefusal, HeddleUnreachable, type WireCredential } from '../../src/client/index.ts';
import { sendFile } from './send-file.ts';
import { sleep } from './sleep.ts';
import { createStore } from './store.ts';

/** The server this page came from. */
export const client = createClient({ url: '', sendFile });

export type PageSession =
  | { readonly phase: 'asking' }
  | { readonly phase: 'unreachable' }
  /** `command` prints a link that signs this browser in. */
  | { readonly phase: 'out'; readonly command: string }
  | { readonly phase: 'in'; readonly me: WireCredential; readonly workspace: string };

export const session = createStore<PageSession>({ phase: 'asking' });

/** Loads the identity this browser is signed in as. Retries until the server answers. */
export async function loadSession(): Promise<void> {
  for (;;) {
    try {
      const { me, workspace } = await client.me();
      return session.set({ phase: 'in', me, workspace });
    } catch (error) {
      if (error instanceof HeddleRefusal && error.code === 'unauthenticated') return endSession(error);
      session.set({ phase: 'unreachable' });
      await sleep(1_000);
    }
  }
}

/** Ends this browser's session; the next request is refused. */
export async function signOut(): Promise<void> {
  const current = session.get();
  if (current.phase === 'in') await client.credentials.revoke(current.me.id);
  await loadSession();
}

function endSession({ details }: HeddleRefusal): void {
  session.set({ phase: 'out', command: String(details.sign_in ?? 'heddle token --link') });
}

/** An error as a sentence to show where it happened. The whole page shows that a session has ended. */
export function describeError(error: unknown): string {
  if (error instanceof HeddleRefusal) {
    if (error.code === 'unauthenticated') endSession(error);
    return messageWithoutPath(error);
  }
  if (error instanceof HeddleUnreachable)
    return 'The server does not answer. Nothing was changed; try again when it is back.';
  return `This page failed: ${error instanceof Error ? error.message : String(error)}. Reload it; what you wrote is kept.`;
}

/** The form's position already shows which field is meant, so the field's wire name is dropped. */
function messageWithoutPath({ message, details }: HeddleRefusal): string {
  const prefix = `"${details.path}" is not acceptable: `;
  if (!message.startsWith(prefix)) return message;
  const rest = message.slice(prefix.length);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}
