import { Fragment } from 'react';
import type { WireThreadState } from '../../../../src/client/index.ts';
import { useActions } from '../../../shell/actions.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Name } from '../../../ui/people/participant.tsx';
import { RefusalMessage, useAttempt } from '../../../ui/refusal.tsx';
import { Banner } from '../../../ui/status/banner.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import type { OpenThread } from '../data/thread.ts';
import live from './live.module.css';

const MAX_NAMES = 4;

interface StoppedWakesProps {
  readonly thread: OpenThread;
  readonly stopped: WireThreadState['stopped'];
}

/** Participants that a limit stopped, and a way to let them continue (T16). */
export function StoppedWakes({ thread, stopped }: StoppedWakesProps) {
  const { attempt, busy, refusal } = useAttempt();
  const groups = [...Map.groupBy(stopped, ({ reason }) => reason)];
  const letContinue = () => void attempt(() => thread.remote.post({ type: 'control', content: { continue: true } }));
  useActions('This thread', [{ name: 'Let them continue', act: letContinue, when: groups.length > 0 }]);
  if (groups.length === 0) return null;
  return (
    <section aria-label="Stopped by a limit" className={live.stopped}>
      <Banner
        action={
          <Button disabled={busy} onClick={letContinue}>
            Let them continue
          </Button>
        }
      >
        {groups.map(([reason, wakes]) => (
          <Fragment key={reason}>
            <Names ids={[...new Set(wakes.map(({ participant }) => participant))]} /> not woken:{' '}
            {escapeBidi(reason.replace(/; a human can let it continue$/, ''))}.{' '}
          </Fragment>
        ))}
      </Banner>
      <RefusalMessage reason={refusal} />
    </section>
  );
}

function Names({ ids }: { readonly ids: readonly string[] }) {
  const rest = ids.length - MAX_NAMES;
  return (
    <>
      {ids.slice(0, MAX_NAMES).map((id, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <b>
            <Name id={id} />
          </b>
        </Fragment>
      ))}
      {rest > 0 && ` and ${rest} more`}
    </>
  );
}
