import { MapPinOff, Search } from 'lucide-react';
import { Button, ButtonLink } from '../ui/controls/button.tsx';
import { Glyph } from '../ui/icon.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import styles from './plain-page.module.css';

/** An address that names nothing. */
export function NotFoundPage({ onFind }: { onFind(): void }) {
  return (
    <main className={styles.outside}>
      <div className={styles.column}>
        <span className={styles.icon}>
          <Glyph icon={MapPinOff} size={28} />
        </span>
        <h1>Page not found</h1>
        <p>
          <code dir="ltr">{escapeBidi(location.pathname)}</code>
        </p>
        <p className={styles.actions}>
          <ButtonLink kind="primary" href="/">
            Go to the inbox
          </ButtonLink>
          <Button icon={Search} shortcut="Ctrl K" onClick={onFind}>
            Search
          </Button>
        </p>
      </div>
    </main>
  );
}
