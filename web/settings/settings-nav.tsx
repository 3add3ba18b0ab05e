import { Bot, Cpu, Info, Monitor, SlidersHorizontal, Smartphone, UserRound, Users, Wallet } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { useAddress } from '../shell/address.ts';
import { Glyph } from '../ui/icon.tsx';
import styles from './settings-nav.module.css';

const SECTIONS = [
  { id: 'profile', label: 'You', icon: UserRound },
  { id: 'models', label: 'Models', icon: Cpu },
  { id: 'defaults', label: 'Defaults', icon: SlidersHorizontal },
  { id: 'budget', label: 'Budget and usage', icon: Wallet },
  { id: 'personas', label: 'Personas', icon: Bot },
  { id: 'tokens', label: 'People and tokens', icon: Users },
  { id: 'phone', label: 'Your phone', icon: Smartphone },
  { id: 'browser', label: 'This browser', icon: Monitor },
  { id: 'about', label: 'About', icon: Info },
] as const;

/** The sections, with the one that is being read marked. */
export function SettingsNav({ scroller }: { readonly scroller: RefObject<HTMLElement | null> }) {
  const address = useAddress();
  const target = address.room === 'settings' ? address.at : undefined;
  const read = useSectionInView(scroller);
  const current = SECTIONS.some(({ id }) => id === target) && read === undefined ? target : (read ?? SECTIONS[0].id);
  return (
    <nav aria-label="Settings" className={styles.nav}>
      {SECTIONS.map(({ id, label, icon }) => (
        <a
          key={id}
          href={`/settings#${id}`}
          data-in-page
          className={styles.item}
          aria-current={current === id ? 'true' : undefined}
        >
          <Glyph icon={icon} />
          {label}
        </a>
      ))}
    </nav>
  );
}

const NEAR = 120;

/** The last section that begins near the top of what is shown, or above it. */
function useSectionInView(scroller: RefObject<HTMLElement | null>): string | undefined {
  const [section, setSection] = useState<string>();
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const update = () => {
      const { top } = element.getBoundingClientRect();
      const isAtEnd = element.scrollTop > 0 && element.scrollTop + element.clientHeight >= element.scrollHeight - 4;
      const begun = SECTIONS.filter(({ id }) => {
        const begin = document.getElementById(id)?.getBoundingClientRect().top;
        return begin !== undefined && begin < top + NEAR;
      });
      setSection(isAtEnd ? SECTIONS.at(-1)?.id : begun.at(-1)?.id);
    };
    element.addEventListener('scroll', update, { passive: true });
    return () => element.removeEventListener('scroll', update);
  }, [scroller]);
  return section;
}
