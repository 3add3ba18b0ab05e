import { useActions } from './actions.ts';
import { oneOf } from './kinds.ts';
import { Refused, useWish } from './refused.tsx';
import { client } from './session.ts';
import { useStore } from './store.ts';
import { rows } from './workspace.ts';

/** In the head of every room: an imported thread waits for the person before anything runs in it (L25). */
export function ImportedNote({ id }: { readonly id: string }) {
  const row = useStore(rows)?.get(id);
  const isWaiting = row?.imported?.waiting === true;
  const { wish, busy, refusal } = useWish();
  const resume = () => wish(() => client.thread(id).post({ type: 'control', content: { resume: true } }));
  useActions(`This ${oneOf(row?.kind ?? 'conversation')}`, [
    { name: 'Resume this imported thread', act: () => void resume(), when: isWaiting },
  ]);
  if (!isWaiting) return null;
  return (
    <div className="imported-note">
      <p role="status">
        {row?.imported?.up_to === 0
          ? 'This came from an imported thread. Its open work waits until you resume it.'
          : 'This thread was imported. Its open work waits until you resume it.'}
      </p>
      <button type="button" className="act" disabled={busy} onClick={() => void resume()}>
        Resume
      </button>
      <Refused because={refusal} />
    </div>
  );
}
