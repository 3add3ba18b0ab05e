import type { Credential } from '../../log/credential.ts';

/** However a revocation is announced, what lasts ends after this long. */
const RECHECK_MS = 15_000;

/** Does it end with that one: is it the one, or was it signed in by it? */
export function endsWith({ id, via = [] }: Credential, revoked: string): boolean {
  return id === revoked || via.includes(revoked);
}

/** Ends what lasts (streams, waits, downloads) together with the credential it was begun with (I25). */
export function createRevocations(find: (token: string) => Promise<Credential | undefined>) {
  const watched = new Map<string, { readonly credential: Credential; readonly ending: AbortController }>();
  const rechecks = setInterval(recheck, RECHECK_MS).unref();

  /** Aborted when the credential ends. One for each token, so any number may listen. */
  function signalOf(token: string, credential: Credential): AbortSignal {
    const { ending } = watched.get(token) ?? { ending: new AbortController() };
    watched.set(token, { credential, ending });
    // It may have ended since it was let in.
    check(token);
    return ending.signal;
  }

  /** Those of which it is known without asking: at once, before anything else is sent. */
  function end(revoked: string) {
    for (const [token, { credential }] of watched) if (endsWith(credential, revoked)) abort(token);
  }

  function recheck() {
    for (const token of watched.keys()) check(token);
  }

  function check(token: string) {
    // While the store is away nobody knows; then it is asked again.
    find(token).then(
      (current) => current ?? abort(token),
      () => {},
    );
  }

  function abort(token: string) {
    const entry = watched.get(token);
    watched.delete(token);
    entry?.ending.abort();
  }

  return { signalOf, end, recheck, close: () => clearInterval(rechecks) };
}
