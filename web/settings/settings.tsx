import { useRef } from 'react';
import type { WireCredential } from '../../src/client/index.ts';
import { AboutSection } from './about.tsx';
import { BrowserSettings } from './browser.tsx';
import { ModelsSections } from './models.tsx';
import { PersonasSection } from './personas.tsx';
import { PhoneSection } from './phone.tsx';
import { ProfileSection } from './profile.tsx';
import styles from './settings.module.css';
import { SettingsNav } from './settings-nav.tsx';
import { TokensSection } from './tokens.tsx';

/** All settings on one page, in sections that an address can name. */
export function Settings({ me, onKeys }: { readonly me: WireCredential; onKeys(): void }) {
  const main = useRef<HTMLElement>(null);
  return (
    <main ref={main} className={styles.page}>
      <div className={styles.column}>
        <h1 className={styles.title}>Settings</h1>
        <SettingsNav scroller={main} />
        <div className={styles.sections}>
          <ProfileSection me={me.participant} />
          <ModelsSections />
          <PersonasSection />
          <TokensSection me={me} />
          <PhoneSection />
          <BrowserSettings onKeys={onKeys} />
          <AboutSection />
        </div>
      </div>
    </main>
  );
}
