import { PenLine, Upload, UserPlus } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { client } from '../../../data/session.ts';
import { navigate } from '../../../shell/address.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { pickFiles } from '../../../ui/files.ts';
import { Glyph, type Icon } from '../../../ui/icon.tsx';
import { Avatar } from '../../../ui/people/avatar.tsx';
import { RefusalMessage, useAttempt } from '../../../ui/refusal.tsx';
import { Card } from '../../../ui/status/card.tsx';
import styles from './empty.module.css';

interface EmptyThreadProps {
  onInvite(): void;
  onWrite(): void;
}

/** Three ways to begin. */
export function EmptyThread({ onInvite, onWrite }: EmptyThreadProps) {
  const { attempt, busy, refusal } = useAttempt();

  async function importThreads(): Promise<void> {
    const [file] = await pickFiles();
    if (!file) return;
    const imported = await attempt(() => client.import(file.stream()));
    if (imported) navigate('/');
  }

  return (
    <section className={styles.empty} aria-label="How to start">
      <h2>How do you want to start?</h2>
      <p className={styles.lead}>A thread is a conversation of people and agents. Every message is kept.</p>
      <div className={styles.cards}>
        <Way icon={UserPlus} title="Invite an agent" text="It answers here, and you decide when.">
          <Agents />
          <Button kind="primary" onClick={onInvite}>
            Choose agents
          </Button>
        </Way>
        <Way icon={PenLine} title="Write" text="Start alone. People you invite later see everything.">
          <Button onClick={onWrite}>Write a message</Button>
        </Way>
        <Way icon={Upload} title="Import" text="Import threads from a file that another workspace exported.">
          <Button disabled={busy} onClick={() => void importThreads()}>
            Choose a file
          </Button>
        </Way>
      </div>
      <RefusalMessage reason={refusal} />
    </section>
  );
}

interface WayProps {
  readonly icon: Icon;
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

function Way({ icon, title, text, children }: WayProps) {
  return (
    <Card className={styles.card}>
      <Glyph icon={icon} size={20} />
      <h3>{title}</h3>
      <p>{text}</p>
      <div className={styles.action}>{children}</div>
    </Card>
  );
}

const MAX_FACES = 3;

/** The faces of those who could be invited. */
function Agents() {
  const [names, setNames] = useState<readonly { readonly id: string; readonly kind: 'model' | 'client' }[]>([]);
  useEffect(() => {
    Promise.all([client.models.list(), client.agents()]).then(
      ([{ models }, { agents }]) =>
        setNames([
          ...models.map(({ name }) => ({ id: name, kind: 'model' as const })),
          ...agents.map(({ name }) => ({ id: name, kind: 'client' as const })),
        ]),
      () => {}, // Only a picture of what the dialog shows.
    );
  }, []);
  const more = names.length - MAX_FACES;
  return (
    <span className={styles.faces}>
      {names.slice(0, MAX_FACES).map(({ id, kind }) => (
        <Avatar key={`${kind} ${id}`} id={id} kind={kind} size="medium" />
      ))}
      {more > 0 && <span>and {more} more</span>}
    </span>
  );
}
