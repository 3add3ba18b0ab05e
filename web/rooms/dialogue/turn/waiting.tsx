import { Hourglass } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { DialogueStatus } from '../../../../src/client/index.ts';
import type { ModelWait } from '../../../../src/core/runs/schema.ts';
import { client } from '../../../data/session.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Menu, MenuItem } from '../../../ui/floating/menu.tsx';
import { Glyph } from '../../../ui/icon.tsx';
import { RefusalMessage, useAttempt } from '../../../ui/refusal.tsx';
import { formatElapsed } from '../../../ui/status/live-line.tsx';
import { Progress } from '../../../ui/status/progress.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import type { LiveDialogue } from '../live-dialogue.ts';
import styles from './waiting.module.css';

interface WaitingCardProps {
  readonly dialogue: LiveDialogue;
  readonly status: DialogueStatus;
  readonly waiting: ModelWait;
}

/** The model cannot answer now: until when, why, and another model as the way out (D31). */
export function WaitingCard({ dialogue, status, waiting }: WaitingCardProps) {
  const now = useSeconds();
  const { attempt, busy, refusal } = useAttempt();
  const [since, until] = [Date.parse(waiting.since), Date.parse(waiting.until)];
  const names = useModelNames(status.model);

  /** A new model takes effect at the next iteration: the one that waits is called off and begun again. */
  async function changeModel(model: string): Promise<void> {
    await attempt(async () => {
      await dialogue.remote.command('configure', { set: { model } });
      await dialogue.remote.command('pause_run', {});
      return dialogue.remote.command('resume_run', {});
    });
  }

  return (
    <div className={styles.waiting} role="status" aria-label="Waiting">
      <Glyph icon={Hourglass} />
      <p className={styles.text}>
        <b>
          Waiting for {escapeBidi(status.model ?? 'the model')}
          <span aria-hidden="true">, {formatElapsed(until - now + 999)} left</span>
        </b>
        {'; nothing is lost'}
        <span className={styles.why} dir="auto">
          {escapeBidi(waiting.why)}
        </span>
      </p>
      {names.length > 0 && (
        <Menu trigger={<Button disabled={busy}>Use another model</Button>}>
          {names.map((name) => (
            <MenuItem key={name} onSelect={() => void changeModel(name)}>
              {escapeBidi(name)}
            </MenuItem>
          ))}
        </Menu>
      )}
      <div className={styles.bar}>
        <Progress
          label="Time until the next try"
          fraction={clampFraction((now - since) / Math.max(1, until - since))}
        />
      </div>
      <RefusalMessage reason={refusal} />
    </div>
  );
}

function useModelNames(current: string | null): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    client.models.list().then(
      ({ models }) => setNames(models.map(({ name }) => name).filter((name) => name !== current)),
      () => {}, // Waiting goes on without a way out.
    );
  }, [current]);
  return names;
}

function useSeconds(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function clampFraction(fraction: number): number {
  return Math.min(1, Math.max(0, fraction));
}
