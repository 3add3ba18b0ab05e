import type { Credential } from '../../log/credential.ts';

/** Long-lived connections end after this time at the latest, even if the announcement of a revocation is lost. */
const RECHECK_MS = 15_000;

/** Whether a credential ends with the revoked one: it is the same, or was signed in by it. */
export function isRevokedBy({ id, via = [] }: Credential, revokedId: string): boolean {
  return id === revokedId || via.includes(revokedId);
}

/** Ends streams, waits and downloads together with the credential that began them (I25). */
export function createRevocations(find: (token: string) => Promise<Credential | undefined>) {
  const watchedTokens = new Map<string, { readonly credential: Credential; readonly ending: AbortController }>();
  const recheckTimer = setInterval(recheck, RECHECK_MS).unref();

  /** A signal that aborts when the credential ends. Each token has one, shared by any number of listeners. */
  function signalOf(token: string, credential: Credential): AbortSignal {
    const { ending: controller } = watchedTokens.get(token) ?? { ending: new AbortController() };
    watchedTokens.set(token, { credential, ending: controller });
    // The credential may have ended after it was authenticated.
    check(token);
    return controller.signal;
  }

  /** Aborts the connections of a credential known to be revoked at once, before anything else is sent. */
  function end(revokedId: string) {
    for (const [token, { credential }] of watchedTokens) if (isRevokedBy(credential, revokedId)) abort(token);
  }

  function recheck() {
    for (const token of watchedTokens.keys()) check(token);
  }

  function check(token: string) {
    // If the store is unavailable, the next recheck asks again.
    find(token).then(
      (current) => current ?? abort(token),
      () => {},
    );
  }

  function abort(token: string) {
    const entry = watchedTokens.get(token);
    watchedTokens.delete(token);
    entry?.ending.abort();
  }

  return { signalOf, end, recheck, close: () => clearInterval(recheckTimer) };
}
