import { Sparkles } from 'lucide-react';
import { Button } from '../ui/controls/button.tsx';
import { KindIcon } from '../ui/kind-icon.tsx';
import { KINDS, kindWithArticle, type ThreadKind } from '../ui/kinds.ts';
import { Mark } from '../ui/mark.tsx';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { startThread } from './start-thread.ts';
import styles from './welcome.module.css';

interface WelcomeProps {
  showSample(): void;
}

/** An empty workspace: what this is, and how to begin. */
export function Welcome({ showSample }: WelcomeProps) {
  const { attempt, busy, refusal } = useAttempt();
  const start = (kind: ThreadKind) => void attempt(() => startThread(kind));
  return (
    <main className={styles.page}>
      <div className={styles.column}>
        <p className={styles.name}>
          <Mark size={24} /> Heddle
        </p>
        <h1 className={styles.title}>Write and think with people and models, and see who did what.</h1>
        <p className={styles.lead}>Your work is kept in one log that never loses a word.</p>
        <ul className={styles.kinds} aria-label="Ways to begin">
          {KINDS.map(({ kind, many, is }) => (
            <li key={kind}>
              <KindIcon kind={kind} size={20} />
              <h2>{many}</h2>
              <p>{is}</p>
              <Button disabled={busy} onClick={() => start(kind)}>
                Begin {kindWithArticle(kind)}
              </Button>
            </li>
          ))}
        </ul>
        <RefusalMessage reason={refusal} />
        <p className={styles.sample}>
          <Button kind="primary" icon={Sparkles} onClick={showSample}>
            Show me with a sample
          </Button>
          <span>One of each, written by the small model inside while you watch. It needs no key and no network.</span>
        </p>
      </div>
    </main>
  );
}
