import { useEffect, useRef, useState } from 'react';
import { useStore } from '../data/store.ts';
import { threadRows } from '../data/workspace.ts';
import { threadPath, useAddress } from '../shell/address.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { kindName, kindWithArticle } from '../ui/kinds.ts';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { STEPS, type TourStep } from './steps.ts';
import { leaveTour, nextStep, type Tour, tourThread } from './tour.ts';
import './tour.css';

interface TourStripProps {
  readonly tour: Tour;
  readonly me: string;
  /** The palette is open. */
  readonly isPaletteOpen: boolean;
}

/** One step, in a sentence or two at the bottom of the page. It takes no key and no focus from the room. */
export function TourStrip({ tour, me, isPaletteOpen }: TourStripProps) {
  const step = STEPS[tour.step] as TourStep;
  const wasDone = useStepDone(step, tour, me, isPaletteOpen);
  const address = useAddress();
  const row = tourThread(tour);
  const isAway = row !== undefined && !('id' in address && address.id === row.id);
  const next = STEPS[tour.step + 1];
  return (
    <section aria-label="Tour" className="tour">
      <p className="tour-words" role="status">
        <span className="soft">
          {tour.step + 1} of {STEPS.length}{' '}
        </span>
        {isAway ? `The tour continues in the ${kindName(row.kind)} ` : wasDone ? step.done : step.words}
        {isAway && (
          <a href={threadPath(row)} data-in-page>
            {escapeBidi(row.title)}
          </a>
        )}
      </p>
      <p className="tour-ways">
        {next && (
          <button type="button" className={wasDone ? 'link' : 'act'} onClick={nextStep}>
            {next.kind ? `Next: ${kindWithArticle(next.kind)}` : 'Next'}
          </button>
        )}
        <ActionButton title="Esc" onClick={leaveTour}>
          {next ? 'Leave the tour' : 'End the tour'}
        </ActionButton>
      </p>
    </section>
  );
}

/** Whether the suggested action was done; once done, a step stays done. */
function useStepDone(step: TourStep, tour: Tour, me: string, isPaletteOpen: boolean): boolean {
  const [wasDone, setWasDone] = useState(false);
  const row = useStore(threadRows)?.get(step.kind ? tour.threads[step.kind] : '');
  const initialRow = useRef(row);
  initialRow.current ??= row;
  const isDone = step.kind
    ? row !== undefined && initialRow.current !== undefined && step.isDone?.(row, initialRow.current, me) === true
    : isPaletteOpen;
  useEffect(() => {
    if (isDone) setWasDone(true);
  }, [isDone]);
  return wasDone || isDone;
}
