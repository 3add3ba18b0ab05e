import { client } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { rows } from '../data/workspace.ts';
import { useActions } from '../shell/actions.ts';
import { oneOf } from '../ui/kinds.ts';
import { Refused, useWish } from '../ui/request.tsx';

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
