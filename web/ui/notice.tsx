import { sentenceFor } from '../data/session.ts';
import { createStore, useStore } from '../data/store.ts';
import { Refused } from './request.tsx';
import { visible } from './text/visible.ts';
import type { UnderWay } from './work-context.ts';

/** Why something that was asked for from anywhere was not done. */
const notice = createStore<string | undefined>(undefined);
/** What takes so long that it says how far it is. */
const underWay = createStore<readonly Long[]>([]);

interface Long {
  readonly what: string;
  readonly words: string;
  readonly share: number | undefined;
  readonly stop: AbortController;
}

/** Does what has no place of its own on the page; how far it is and what goes wrong is told at its foot. */
export async function doing(work: (under: UnderWay) => Promise<unknown>, what = ''): Promise<void> {
  const stop = new AbortController();
  const others = (all: readonly Long[]) => all.filter((each) => each.stop !== stop);
  notice.set(undefined);
  try {
    await work({
      signal: stop.signal,
      tell: (words, share) => underWay.set((all) => [...others(all), { what, words, share, stop }]),
    });
  } catch (error) {
    if (!stop.signal.aborted) notice.set(sentenceFor(error));
  } finally {
    underWay.set(others);
  }
}

/** A sentence that has no place of its own either. */
export function tell(because: string | undefined): void {
  notice.set(because);
}

export function Notice() {
  const because = useStore(notice);
  const long = useStore(underWay);
  if (!because && long.length === 0) return null;
  return (
    <div className="notice">
      {long.map(({ what, words, share, stop }) => (
        <div key={what}>
          <p role="status" dir="auto">
            {visible(what)}
          </p>
          <progress aria-label={what} value={share} />
          <p className="soft" aria-hidden="true">
            {words}
          </p>
          <button type="button" className="act" onClick={() => stop.abort()}>
            Stop
          </button>
        </div>
      ))}
      {because && (
        <div>
          <Refused because={because} />
          <button type="button" className="act" onClick={() => notice.set(undefined)}>
            Close
          </button>
        </div>
      )}
    </div>
  );
}
