import { createClient, HeddleRefusal, HeddleUnreachable, type WireCredential } from '../../src/client/index.ts';
import { browserStorage, claimTexts, TEXT_OWNER, watchStorage } from './browser-storage.ts';
import { connection } from './connection.ts';
import { claimKept, forgetKept, isSameOwner, readOwner } from './kept/database.ts';
import { restorePage } from './kept/kept-page.ts';
import { currency } from './money.ts';
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
  | {
      readonly phase: 'in';
      readonly me: WireCredential;
      readonly workspace: string;
      /** The server has not answered yet: the page shows what it showed at this time, in milliseconds. */
      readonly keptAt?: number;
    };

export const session = createStore<PageSession>({ phase: 'asking' });

const RETRY_MS = 1_000;
/** A server that takes longer to say who is signed in is shown as away until it does. */
const PATIENCE_MS = 4_000;
/** Storage that does not answer must not keep the page closed. */
const STORAGE_MS = 1_000;

/** Loads the identity this browser is signed in as. Retries until the server answers; meanwhile shows what is kept. */
export async function loadSession(): Promise<void> {
  void readOwner(); // Opens the database meanwhile.
  const impatience = setTimeout(() => void showKept(), PATIENCE_MS);
  for (;;) {
    try {
      const { me, workspace, currency: code } = await client.me();
      clearTimeout(impatience);
      currency.set(code);
      return await startSession(me, workspace);
    } catch (error) {
      clearTimeout(impatience);
      if (error instanceof HeddleRefusal && error.code === 'unauthenticated') return endSession(error);
      await Promise.race([showKept(), sleep(STORAGE_MS)]);
      await sleep(RETRY_MS);
    }
  }
}

async function startSession(me: WireCredential, workspace: string): Promise<void> {
  const current = session.get();
  await Promise.race([claimKept(me, workspace), sleep(STORAGE_MS)]);
  claimTexts(textOwnerOf(me, workspace));
  // Nothing of what was shown belongs to the person who is signed in now.
  if (current.phase === 'in' && !isSameOwner(current, { me, workspace })) return location.reload();
  session.set({ phase: 'in', me, workspace });
}

function textOwnerOf({ participant }: WireCredential, workspace: string): string {
  return `${workspace}/${participant}`;
}

/** Somebody else signed in in another tab: what this one sends would be theirs, so it becomes theirs to look at, too. */
export function followOwner(): () => void {
  return watchStorage(TEXT_OWNER, () => {
    const current = session.get();
    const owner = browserStorage.textOwner();
    if (current.phase === 'in' && owner !== undefined && owner !== textOwnerOf(current.me, current.workspace))
      location.reload();
  });
}

/** Opens the page as it last was in this browser, if that is kept (I22). */
async function showKept(): Promise<void> {
  const current = session.get();
  if (current.phase === 'in' && current.keptAt !== undefined) return;
  const owner = current.phase === 'asking' ? await readOwner() : undefined;
  const keptAt = owner && (await restorePage());
  if (session.get() !== current) return; // The server answered meanwhile.
  if (!owner || keptAt === undefined) return session.set({ phase: 'unreachable' });
  connection.set('waiting');
  session.set({ phase: 'in', me: owner.me, workspace: owner.workspace, keptAt });
}

/** Ends this browser's session; the next request is refused. */
export async function signOut(): Promise<void> {
  const current = session.get();
  await forgetKept(); // Also where the server is away and the session cannot be ended.
  if (current.phase === 'in') await client.credentials.revoke(current.me.id);
  await loadSession();
}

function endSession({ details }: HeddleRefusal): void {
  void forgetKept();
  session.set({ phase: 'out', command: String(details.sign_in ?? 'heddle token --link') });
}

/** An error as a sentence to show where it happened. The whole page shows that a session has ended. */
export function describeError(error: unknown): string {
  if (error instanceof HeddleRefusal) {
    if (error.code === 'unauthenticated') endSession(error);
    return messageWithoutPath(error);
  }
  if (error instanceof HeddleUnreachable) return 'The server does not answer. Nothing was changed; try again later.';
  return `This page failed: ${error instanceof Error ? error.message : String(error)}. Reload it; your text is kept.`;
}

/** The form's position already shows which field is meant, so the field's wire name is dropped. */
function messageWithoutPath({ message, details }: HeddleRefusal): string {
  const prefix = `"${details.path}" is not valid: `;
  if (!message.startsWith(prefix)) return message;
  const rest = message.slice(prefix.length);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}
