import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useStore } from '../data/store.ts';
import { useAddress, visitCount } from '../shell/address.ts';
import styles from './section.module.css';

interface SettingsSectionProps {
  readonly id: string;
  readonly label: string;
  /** What it is for, in a sentence. */
  readonly text?: string;
  readonly children: ReactNode;
}

/** A section of the settings that an address can name: it scrolls into view and focuses its first field. */
export function SettingsSection({ id, label, text, children }: SettingsSectionProps) {
  const address = useAddress();
  const isTarget = address.room === 'settings' && address.at === id;
  const section = useRef<HTMLElement>(null);
  const visit = useStore(visitCount);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address is gone to each time somebody goes to it
  useLayoutEffect(() => {
    if (!isTarget) return;
    section.current?.scrollIntoView({ block: 'start' });
    section.current?.querySelector<HTMLElement>('input, select, button')?.focus({ preventScroll: true });
  }, [isTarget, visit]);
  return (
    <section id={id} aria-label={label} ref={section} className={styles.section}>
      <h2 className={styles.title}>{label}</h2>
      {text && <p className={styles.text}>{text}</p>}
      {children}
    </section>
  );
}
