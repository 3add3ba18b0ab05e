import { Suspense } from 'react';
import { useStore } from '../data/store.ts';
import { currentTarget } from '../explain/target.ts';
import { EVERYWHERE, useActions } from '../shell/actions.ts';
import { lazyWithRetry } from '../ui/lazy.ts';
import { bringRequest, openRequest, roomText } from './requests.ts';

const OpenDialog = lazyWithRetry(async () => (await import('./open-dialog.tsx')).OpenDialog);
const SendDialog = lazyWithRetry(async () => (await import('./send-dialog.tsx')).SendDialog);

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
    <Suspense fallback={<div data-modal="" />}>
      {openTarget && <OpenDialog target={openTarget} onClose={() => openRequest.set(undefined)} />}
      {bringTarget && (
        <SendDialog key={bringTarget.link} request={bringTarget} onClose={() => bringRequest.set(undefined)} />
      )}
    </Suspense>
  );
}
