import { Plus, Sparkles } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { useOwnName } from '../profile/own-name.ts';
import { PictureButtons } from '../profile/picture-buttons.tsx';
import { Button, ButtonLink } from '../ui/controls/button.tsx';
import { TextField } from '../ui/controls/field.tsx';
import { handleSubmit } from '../ui/handle-submit.ts';
import { KindIcon } from '../ui/kind-icon.tsx';
import { KINDS, kindWithArticle, type ThreadKind } from '../ui/kinds.ts';
import { Mark } from '../ui/mark.tsx';
import { Avatar } from '../ui/people/avatar.tsx';
import { usePerson } from '../ui/people/people.ts';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { startThread } from './start-thread.ts';
import styles from './welcome.module.css';

interface WelcomeProps {
  readonly me: string;
  showSample(): void;
  onOpen(): void;
}

/** The first run, in an empty workspace: what this is, who you are, and how to begin. */
export function Welcome({ me, showSample, onOpen }: WelcomeProps) {
  const { attempt, busy, refusal } = useAttempt();
  const own = useOwnName(me);
  const { picture } = usePerson(me);
  const field = useFocusedField();

  /** Whichever way one goes on, the name is saved first. A name that is refused keeps the person here. */
  const goOn = (next: () => unknown) =>
    void attempt(own.save).then((saved) => {
      if (saved) next();
    });
  const begin = useAttempt();
  const start = (kind: ThreadKind) => goOn(() => void begin.attempt(() => startThread(kind)));
  return (
    <main className={styles.page}>
      <form className={styles.column} aria-label="Welcome" onSubmit={handleSubmit(async () => goOn(onOpen))}>
        <p className={styles.brand}>
          <Mark size={24} /> Heddle
        </p>
        <h1 className={styles.title}>Write and think with people and models, and see who did what.</h1>
        <p className={styles.lead}>
          Your work is stored {isOnThisComputer() && 'on this computer, '}in one log that never loses a word.
        </p>
        <ul className={styles.kinds} aria-label="Ways to start">
          {KINDS.map(({ kind, many, brief }) => (
            <li key={kind}>
              <KindIcon kind={kind} size={20} />
              <b>{many}</b>
              <p>{brief}</p>
              <Button disabled={busy || begin.busy} onClick={() => start(kind)}>
                Begin {kindWithArticle(kind)}
              </Button>
            </li>
          ))}
        </ul>
        <RefusalMessage reason={begin.refusal} />
        <section aria-label="What should we call you?" className={styles.section}>
          <h2>What should we call you?</h2>
          <div className={styles.you}>
            <Avatar id={me} name={own.name.trim() || me} kind="person" size="large" picture={picture} />
            <div className={styles.name}>
              <TextField
                ref={field}
                label="Your name"
                isLabelHidden={true}
                name="name"
                value={own.name}
                onChange={({ target }) => own.setName(target.value)}
                onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
                placeholder="Your name (optional)"
                error={refusal}
                dir="auto"
                maxLength={64}
                autoComplete="name"
              />
              <div className={styles.picture}>
                <p>Shown beside everything you write.</p>
                <PictureButtons me={me} />
              </div>
            </div>
          </div>
        </section>
        <section aria-label="Which models may help?" className={styles.section}>
          <h2>Which models may help?</h2>
          <p className={styles.hint}>A small model comes with Heddle and needs no key. Add one that suits your work.</p>
          <ButtonLink kind="quiet" icon={Plus} href="/settings#add-model" className={styles.add}>
            Add a model
          </ButtonLink>
        </section>
        <p className={styles.ways}>
          <Button kind="primary" type="submit" shortcut="↵" disabled={busy}>
            Open Heddle
          </Button>
          <Button icon={Sparkles} disabled={busy} onClick={() => goOn(showSample)}>
            Show me with a sample
          </Button>
        </p>
        <p className={styles.hint}>
          The sample is one of each, written by the small model while you watch. It needs no key and no network.
        </p>
      </form>
    </main>
  );
}

/** So that a name can be typed at once, and Enter goes on; Esc gives the letters back to the shortcuts. A phone would cover half of the page with its keyboard. */
function useFocusedField() {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const hasFocus = document.activeElement !== document.body;
    if (!hasFocus && matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true });
  }, []);
  return field;
}

function isOnThisComputer(): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(location.hostname);
}
