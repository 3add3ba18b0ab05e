import { Suspense } from 'react';
import { useStore } from '../data/store.ts';
import { underHand } from '../explain/target.ts';
import { EVERYWHERE, useActions } from '../shell/actions.ts';
import { lazily } from '../ui/lazy.ts';
import { bringing, opening, wholeText } from './requests.ts';

const OpenSheet = lazily(async () => (await import('./open-sheet.tsx')).OpenSheet);
const BringSheet = lazily(async () => (await import('./bring-sheet.tsx')).BringSheet);

/** The two actions that take any text into another room: as a thread of its own, or into one that is there. */
export function BetweenHost({ isInThread }: { readonly isInThread: boolean }) {
  const [opened, brought] = [useStore(opening), useStore(bringing)];
  useActions(EVERYWHERE, [
    {
      name: 'Open it as a loom or a dialogue',
      keys: ['l'],
      act: () => opening.set(underHand()),
      when: isInThread,
    },
    {
      name: 'Bring it to another thread',
      keys: ['b'],
      act: () => bringing.set(wholeText.get() ?? underHand()),
      when: isInThread,
    },
  ]);
  return (
    <Suspense fallback={null}>
      {opened && <OpenSheet asked={opened} onClose={() => opening.set(undefined)} />}
      {brought && <BringSheet key={brought.link} asked={brought} onClose={() => bringing.set(undefined)} />}
    </Suspense>
  );
}
