import { Suspense } from 'react';
import { useStore } from '../data/store.ts';
import { currentTarget } from '../explain/target.ts';
import { EVERYWHERE, useActions } from '../shell/actions.ts';
import { lazyWithRetry } from '../ui/lazy.ts';
import { bringRequest, openRequest, roomText } from './requests.ts';

const OpenSheet = lazyWithRetry(async () => (await import('./open-sheet.tsx')).OpenSheet);
const BringSheet = lazyWithRetry(async () => (await import('./bring-sheet.tsx')).BringSheet);

/** The two actions that move any text: open it as a new thread, or send it to an existing one. */
export function TransferHost({ isInThread }: { readonly isInThread: boolean }) {
  const [openTarget, bringTarget] = [useStore(openRequest), useStore(bringRequest)];
  useActions(EVERYWHERE, [
    {
      name: 'Open it as a loom or a dialogue',
      keys: ['l'],
      act: () => openRequest.set(currentTarget()),
      when: isInThread,
    },
    {
      name: 'Send it to another thread',
      keys: ['b'],
      act: () => bringRequest.set(roomText.get() ?? currentTarget()),
      when: isInThread,
    },
  ]);
  return (
    <Suspense fallback={null}>
      {openTarget && <OpenSheet target={openTarget} onClose={() => openRequest.set(undefined)} />}
      {bringTarget && (
        <BringSheet key={bringTarget.link} request={bringTarget} onClose={() => bringRequest.set(undefined)} />
      )}
    </Suspense>
  );
}
