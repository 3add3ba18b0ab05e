import { useEffect, useRef, useState } from 'react';
import { openExplain } from '../../../explain/target.ts';
import { Elsewhere } from '../../../transfer/buttons.tsx';
import { Person } from '../../../ui/person.tsx';
import { Refused, useWish } from '../../../ui/request.tsx';
import { visible } from '../../../ui/text/visible.ts';
import { Time } from '../../../ui/time.tsx';
import type { Live } from '../live-exchange.ts';
import { pathIn } from '../places.ts';
import type { Call, Thought } from '../queries.ts';
import { ReasonForm } from '../reason-form.tsx';
import { ThoughtLinks } from './thought-links.tsx';

interface ThoughtLineProps {
  readonly live: Live;
  readonly thought: Thought;
  readonly call: Call | undefined;
  readonly isActive: boolean;
  readonly isTarget: boolean;
  /** More than one mind thinks here, so that each line says whose it is. */
  readonly several: boolean;
  /** Its reason for being hidden is being written. */
  readonly isHiding: boolean;
  onHide(thought: number | undefined): void;
}

/** One thought: a line, until somebody wants to read all of it. */
export function ThoughtLine(props: ThoughtLineProps) {
  const { live, thought, call, isActive, isTarget, several, isHiding, onHide } = props;
  const { id, text, author, vetoed } = thought;
  const [isWhole, setWhole] = useState(isTarget);
  const line = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isTarget) return;
    setWhole(true);
    line.current?.scrollIntoView({ block: 'center' });
    line.current?.focus({ preventScroll: true });
  }, [isTarget]);
  // What was hidden stays open, with its reason to be read.
  useEffect(() => void (isHiding && setWhole(true)), [isHiding]);
  const isOpen = isWhole || isHiding;
  const names = ['thought-line', !isActive && 'is-past', vetoed && 'is-hidden', isTarget && 'target'];
  return (
    <div className={names.filter(Boolean).join(' ')} data-place={pathIn(live.id, `thought.${id}`)}>
      <button
        ref={line}
        type="button"
        className="thought-text"
        data-stop
        data-thought={id}
        aria-expanded={isOpen}
        onClick={() => setWhole(!isWhole)}
      >
        <span className="thought-id">#{id}</span>{' '}
        <span className={isOpen ? 'whole' : 'clipped'} dir="auto">
          {visible(text)}
        </span>
      </button>
      <span className="thought-by">
        {vetoed && <span className="warned">hidden </span>}
        {several && <Person id={author} />}
        {call?.small && <span className="soft"> small</span>}
      </span>
      {isOpen && (
        <Facts
          live={live}
          thought={thought}
          call={call}
          isActive={isActive}
          isHiding={isHiding}
          onHide={(next) => {
            onHide(next);
            if (next === undefined) line.current?.focus();
          }}
        />
      )}
    </div>
  );
}

type FactsProps = Pick<ThoughtLineProps, 'live' | 'thought' | 'call' | 'isActive' | 'isHiding' | 'onHide'>;

function Facts({ live, thought, call, isActive, isHiding, onHide }: FactsProps) {
  const { wish, busy, refusal } = useWish();
  const { id, iter, author, vetoed } = thought;
  const hide = (reason: string) => live.remote.command('veto', { thought: id, reason });
  const show = () => wish(() => live.remote.command('unveto', { thought: id }));
  return (
    <div className="thought-facts">
      <p className="soft">
        {author}, iteration {iter}
        {call && `, ${call.model}${call.small ? ' (small)' : ''}`}
        {call?.legibility && ', not all of the terms fitted into its input'}
        {!isActive && '; no longer active'}
        {call && call.shown.length > 0 && (
          <>
            ; was shown <ThoughtLinks thread={live.id} ids={call.shown} />
          </>
        )}
      </p>
      {vetoed && (
        <p>
          Hidden from sampling by {vetoed.by}, <Time ts={vetoed.ts} />: <q dir="auto">{visible(vetoed.reason)}</q>
        </p>
      )}
      {isHiding && !vetoed ? (
        <ReasonForm
          label={`Hide thought ${id}`}
          does="Hide it from sampling"
          keep={`${live.id}.hide.${id}`}
          placeholder="Why should no mind be shown it?"
          send={hide}
          onClose={() => onHide(undefined)}
        />
      ) : (
        <p className="choices">
          {vetoed ? (
            <button type="button" className="act" disabled={busy} onClick={() => void show()}>
              Let it be sampled again
            </button>
          ) : (
            <button type="button" className="act" title="v" onClick={() => onHide(id)}>
              Hide from sampling
            </button>
          )}
          <button type="button" className="act" title="w" onClick={() => openExplain(pathIn(live.id, `thought.${id}`))}>
            Where from
          </button>
          <Elsewhere link={pathIn(live.id, `thought.${id}`)} />
          <a className="act" href={pathIn(live.id, `thought.${id}`)} data-in-page>
            Its address
          </a>
        </p>
      )}
      <Refused because={refusal} />
    </div>
  );
}
