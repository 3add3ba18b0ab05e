import { Refused } from './refused.tsx';
import { sentenceFor } from './session.ts';
import { createStore, useStore } from './store.ts';

/** Why something that was asked for from anywhere was not done. */
const notice = createStore<string | undefined>(undefined);

/** Does what has no place of its own on the page; what goes wrong is told at its foot. */
export async function doing(work: () => Promise<unknown>): Promise<void> {
  notice.set(undefined);
  try {
    await work();
  } catch (error) {
    notice.set(sentenceFor(error));
  }
}

export function Notice() {
  const because = useStore(notice);
  if (!because) return null;
  return (
    <div className="notice">
      <Refused because={because} />
      <button type="button" className="act" onClick={() => notice.set(undefined)}>
        Close
      </button>
    </div>
  );
}
