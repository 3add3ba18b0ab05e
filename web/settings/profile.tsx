import { useState } from 'react';
import { useOwnName } from '../profile/own-name.ts';
import { PictureButtons } from '../profile/picture-buttons.tsx';
import { Button } from '../ui/controls/button.tsx';
import { TextField } from '../ui/controls/field.tsx';
import { handleSubmit } from '../ui/handle-submit.ts';
import { Avatar } from '../ui/people/avatar.tsx';
import { usePerson } from '../ui/people/people.ts';
import { useAttempt } from '../ui/refusal.tsx';
import { Card } from '../ui/status/card.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import styles from './profile.module.css';
import { SettingsSection } from './section.tsx';

/** One's own name and picture. */
export function ProfileSection({ me }: { readonly me: string }) {
  const own = useOwnName(me);
  const { picture } = usePerson(me);
  const { attempt, busy, refusal } = useAttempt();
  const [isSaved, setSaved] = useState(false);

  async function save(): Promise<void> {
    setSaved((await attempt(own.save)) !== undefined);
  }

  return (
    <SettingsSection id="profile" label="You" text="Shown beside everything you write, in every thread.">
      <Card className={styles.card}>
        <Avatar id={me} name={own.name.trim() || me} kind="person" size="large" picture={picture} />
        <div className={styles.fields}>
          <form className={styles.name} aria-label="Your name" onSubmit={handleSubmit(save)}>
            <TextField
              label="Name"
              hint={`Agents address you as ${escapeBidi(me)}.`}
              name="name"
              value={own.name}
              onChange={({ target }) => {
                setSaved(false);
                own.setName(target.value);
              }}
              placeholder={me}
              error={refusal}
              dir="auto"
              maxLength={64}
              autoComplete="name"
            />
            <Button type="submit" disabled={busy || !own.isChanged}>
              Save
            </Button>
          </form>
          <p className={styles.status} role="status">
            {isSaved && 'Saved.'}
          </p>
          <div className={styles.picture}>
            <PictureButtons me={me} />
          </div>
        </div>
      </Card>
    </SettingsSection>
  );
}
