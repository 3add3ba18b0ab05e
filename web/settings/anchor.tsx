import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useStore } from '../data/store.ts';
import { useAddress, visits } from '../shell/address.ts';

interface AnchorProps {
  readonly id: string;
  readonly label: string;
  readonly children: ReactNode;
}

/** A part of the settings that an address can name: it comes into view with its first field ready. */
export function Anchor({ id, label, children }: AnchorProps) {
  const address = useAddress();
  const isMeant = address.room === 'settings' && address.at === id;
  const section = useRef<HTMLElement>(null);
  const visit = useStore(visits);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address is gone to each time somebody goes to it
  useLayoutEffect(() => {
    if (!isMeant) return;
    section.current?.scrollIntoView({ block: 'start' });
    section.current?.querySelector<HTMLElement>('input, select, button')?.focus({ preventScroll: true });
  }, [isMeant, visit]);
  return (
    <section id={id} aria-label={label} ref={section}>
      {children}
    </section>
  );
}
