import { useEffect, useRef, useState } from 'react';
import { useStore } from '../data/store.ts';
import { rows } from '../data/workspace.ts';
import { pathTo, useAddress } from '../shell/address.ts';
import { oneOf, withArticle } from '../ui/kinds.ts';
import { visible } from '../ui/text/visible.ts';
import { STEPS, type Step } from './steps.ts';
import { leaveTour, nextStep, type Tour, threadOf } from './tour.ts';
import './tour.css';

interface StripProps {
  readonly now: Tour;
  readonly me: string;
  /** The palette is open. */
  readonly finding: boolean;
}

/** One step, in a sentence or two at the foot of the page. It takes no key and no focus from the room. */
export function Strip({ now, me, finding }: StripProps) {
  const step = STEPS[now.step] as Step;
  const done = useDone(step, now, me, finding);
  const address = useAddress();
  const row = threadOf(now);
  const isAway = row !== undefined && !('id' in address && address.id === row.id);
  const next = STEPS[now.step + 1];
  return (
    <section aria-label="Tour" className="tour">
      <p className="tour-words" role="status">
        <span className="soft">
          {now.step + 1} of {STEPS.length}{' '}
        </span>
        {isAway ? `The tour goes on in the ${oneOf(row.kind)} ` : done ? step.done : step.words}
        {isAway && (
          <a href={pathTo(row)} data-in-page>
            {visible(row.title)}
          </a>
        )}
      </p>
      <p className="tour-ways">
        {next && (
          <button type="button" className={done ? 'link' : 'act'} onClick={nextStep}>
            {next.kind ? `Next: ${withArticle(next.kind)}` : 'Next'}
          </button>
        )}
        <button type="button" className="act" title="Esc" onClick={leaveTour}>
          {next ? 'Leave the tour' : 'End the tour'}
        </button>
      </p>
    </section>
  );
}

/** Whether what the step suggests was done; once it was, it stays so. */
function useDone(step: Step, now: Tour, me: string, finding: boolean): boolean {
  const [done, setDone] = useState(false);
  const row = useStore(rows)?.get(step.kind ? now.threads[step.kind] : '');
  const first = useRef(row);
  first.current ??= row;
  const isDone = step.kind
    ? row !== undefined && first.current !== undefined && step.isDone?.(row, first.current, me) === true
    : finding;
  useEffect(() => {
    if (isDone) setDone(true);
  }, [isDone]);
  return done || isDone;
}
