import { Hourglass } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ModelWait } from '../../../src/core/runs/schema.ts';
import { isWaiting } from '../../../src/core/runs/wait.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Glyph } from '../../ui/icon.tsx';
import { formatElapsed } from '../../ui/status/live-line.tsx';
import { Progress } from '../../ui/status/progress.tsx';
import { escapeBidi } from '../../ui/text/escape-bidi.ts';
import { CutText } from '../cut-text.tsx';
import styles from './situation.module.css';

interface ModelWaitCardProps {
  readonly waiting: Pick<ModelWait, 'until' | 'why' | 'partial'>;
  readonly what: string;
  /** Leads to where another model can be chosen. */
  onAmend?(): void;
}

/** A rate limit is a countdown, not an error; empty once the model is called again. */
export function ModelWaitCard({ waiting, what, onAmend }: ModelWaitCardProps) {
  const now = useSeconds();
  const [start] = useState(now);
  if (!isWaiting(waiting, now)) return null;
  const end = Date.parse(waiting.until);
  return (
    <>
      {waiting.partial !== undefined && <CutText text={waiting.partial} />}
      <div className={styles.wait} role="status" aria-label="Waiting">
        <Glyph icon={Hourglass} />
        <p>
          <b>
            {what}
            <span aria-hidden="true">
              , <time dateTime={waiting.until}>{formatElapsed(end - now)}</time> left
            </span>
          </b>
          {'; nothing is lost'}
          <span className={styles.why} dir="auto">
            {escapeBidi(waiting.why)}
          </span>
        </p>
        {onAmend && <Button onClick={onAmend}>Choose another model</Button>}
        <Progress label="Until the next try" fraction={Math.min(1, (now - start) / Math.max(1, end - start))} />
      </div>
    </>
  );
}

function useSeconds(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
