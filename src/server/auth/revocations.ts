import type { Credential } from '../../log/credential.ts';

/** However a revocation is announced, what lasts ends after this long. */
const RECHECK_MS = 15_000;

/** Does it end with that one: is it the one, or was it signed in by it? */
export function isRevokedBy({ id, via = [] }: Credential, revokedId: string): boolean {
  return id === revokedId || via.includes(revokedId);
}

/** Ends what lasts (streams, waits, downloads) together with the credential it was begun with (I25). */
export function createRevocations(find: (token: string) => Promise<Credential | undefined>) {
  const watchedTokens = new Map<string, { readonly credential: Credential; readonly ending: AbortController }>();
  const recheckTimer = setInterval(recheck, RECHECK_MS).unref();

  /** Aborted when the credential ends. One for each token, so any number may listen. */
  function signalOf(token: string, credential: Credential): AbortSignal {
    const { ending: controller } = watchedTokens.get(token) ?? { ending: new AbortController() };
    watchedTokens.set(token, { credential, ending: controller });
    // It may have ended since it was let in.
    check(token);
    return controller.signal;
  }

  /** Those of which it is known without asking: at once, before anything else is sent. */
  function end(revokedId: string) {
    for (const [token, { credential }] of watchedTokens) if (isRevokedBy(credential, revokedId)) abort(token);
  }

  function recheck() {
    for (const token of watchedTokens.keys()) check(token);
  }

  function check(token: string) {
    // While the store is away nobody knows; then it is asked again.
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
