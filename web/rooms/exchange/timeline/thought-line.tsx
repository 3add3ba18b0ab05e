import { useEffect, useRef, useState } from 'react';
import type { RoundCall, RoundThought } from '../../../../src/client/index.ts';
import { openExplain } from '../../../explain/target.ts';
import { TransferButtons } from '../../../transfer/buttons.tsx';
import { ActionButton } from '../../../ui/action-button.tsx';
import { Person } from '../../../ui/person.tsx';
import { RefusalMessage, useAttempt } from '../../../ui/refusal.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { Time } from '../../../ui/time.tsx';
import type { LiveExchange } from '../live-exchange.ts';
import { exchangePath } from '../places.ts';
import { ReasonForm } from '../reason-form.tsx';
import { ThoughtLinks } from './thought-links.tsx';

interface ThoughtLineProps {
  readonly exchange: LiveExchange;
  readonly thought: RoundThought;
  readonly round: number;
  readonly call: RoundCall | undefined;
  readonly isActive: boolean;
  readonly isTarget: boolean;
  /** There is more than one mind, so each line names its author. */
  readonly hasSeveralMinds: boolean;
  /** The reason for hiding the thought is being written. */
  readonly isHiding: boolean;
  onHide(thought: number | undefined): void;
}

/** One thought: a single line that expands to the full text. */
export function ThoughtLine(props: ThoughtLineProps) {
  const { exchange, thought, call, isActive, isTarget, hasSeveralMinds, isHiding, onHide } = props;
  const { id, text, author, vetoed } = thought;
  const [isExpanded, setExpanded] = useState(isTarget);
  const line = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isTarget) return;
    setExpanded(true);
    line.current?.scrollIntoView({ block: 'center' });
    line.current?.focus({ preventScroll: true });
  }, [isTarget]);
  // A thought stays expanded after it is hidden, so that its reason can be read.
  useEffect(() => void (isHiding && setExpanded(true)), [isHiding]);
  const isOpen = isExpanded || isHiding;
  const classNames = ['thought-line', !isActive && 'is-past', vetoed && 'is-hidden', isTarget && 'target'];
  return (
    <div className={classNames.filter(Boolean).join(' ')} data-place={exchangePath(exchange.id, `thought.${id}`)}>
      <button
        ref={line}
        type="button"
        className="thought-text"
        data-stop
        data-thought={id}
        aria-expanded={isOpen}
        onClick={() => setExpanded(!isExpanded)}
      >
        <span className="thought-id">#{id}</span>{' '}
        <span className={isOpen ? 'whole' : 'clipped'} dir="auto">
          {escapeBidi(text)}
        </span>
      </button>
      <span className="thought-by">
        {vetoed && <span className="warned">hidden </span>}
        {hasSeveralMinds && <Person id={author} />}
        {call?.small && <span className="soft"> small</span>}
      </span>
      {isOpen && (
        <ThoughtFacts
          exchange={exchange}
          thought={thought}
          round={props.round}
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

type ThoughtFactsProps = Pick<
  ThoughtLineProps,
  'exchange' | 'thought' | 'round' | 'call' | 'isActive' | 'isHiding' | 'onHide'
>;

function ThoughtFacts({ exchange, thought, round, call, isActive, isHiding, onHide }: ThoughtFactsProps) {
  const { attempt, busy, refusal } = useAttempt();
  const { id, author, vetoed } = thought;
  const hide = (reason: string) => exchange.remote.command('veto', { thought: id, reason });
  const unhide = () => attempt(() => exchange.remote.command('unveto', { thought: id }));
  return (
    <div className="thought-facts">
      <p className="soft">
        {author}, round {round}
        {call && `, ${call.model}${call.small ? ' (small)' : ''}`}
        {call?.legibility && ', not all of the terms fitted into its input'}
        {!isActive && '; no longer active'}
        {call && call.shown.length > 0 && (
          <>
            ; was shown <ThoughtLinks thread={exchange.id} ids={call.shown} />
          </>
        )}
      </p>
      {vetoed && (
        <p>
          Hidden from sampling by {vetoed.by}, <Time ts={vetoed.ts} />: <q dir="auto">{escapeBidi(vetoed.reason)}</q>
        </p>
      )}
      {isHiding && !vetoed ? (
        <ReasonForm
          label={`Hide thought ${id}`}
          sendLabel="Hide it from sampling"
          storageKey={`${exchange.id}.hide.${id}`}
          placeholder="Why should no mind be shown it?"
          onSend={hide}
          onClose={() => onHide(undefined)}
        />
      ) : (
        <p className="choices">
          {vetoed ? (
            <ActionButton disabled={busy} onClick={() => void unhide()}>
              Let it be sampled again
            </ActionButton>
          ) : (
            <ActionButton title="v" onClick={() => onHide(id)}>
              Hide from sampling
            </ActionButton>
          )}
          <ActionButton title="w" onClick={() => openExplain(exchangePath(exchange.id, `thought.${id}`))}>
            Source
          </ActionButton>
          <TransferButtons link={exchangePath(exchange.id, `thought.${id}`)} />
          <a className="act" href={exchangePath(exchange.id, `thought.${id}`)} data-in-page>
            Its address
          </a>
        </p>
      )}
      <RefusalMessage reason={refusal} />
    </div>
  );
}
