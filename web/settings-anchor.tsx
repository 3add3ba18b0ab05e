import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useAddress } from './address.ts';

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
  useLayoutEffect(() => {
    if (!isMeant) return;
    section.current?.scrollIntoView({ block: 'start' });
    section.current?.querySelector<HTMLElement>('input, button')?.focus({ preventScroll: true });
  }, [isMeant]);
  return (
    <section id={id} aria-label={label} ref={section}>
      {children}
    </section>
  );
}
