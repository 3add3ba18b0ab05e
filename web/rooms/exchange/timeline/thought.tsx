import { Eye, EyeOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { RoundCall, RoundThought } from '../../../../src/client/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Face, Name } from '../../../ui/people/participant.tsx';
import { RefusalMessage, useAttempt } from '../../../ui/refusal.tsx';
import { Tag } from '../../../ui/status/badge.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { Markdown } from '../../../ui/text/markdown.tsx';
import { Time } from '../../../ui/time.tsx';
import { ClusterIcon } from '../../pool/map.tsx';
import { TextActions } from '../../text-actions.tsx';
import type { LiveExchange } from '../live-exchange.ts';
import { exchangePath } from '../places.ts';
import { ReasonForm } from '../reason-form.tsx';
import styles from './round.module.css';
import { ThoughtLinks } from './thought-links.tsx';

/** A longer thought is cut until it is opened. */
const LONG = 500;

interface ThoughtProps {
  readonly exchange: LiveExchange;
  readonly thought: RoundThought;
  readonly round: number;
  readonly call: RoundCall | undefined;
  readonly isActive: boolean;
  readonly isTarget: boolean;
  /** The reason for hiding the thought is being written. */
  readonly isHiding: boolean;
  onHide(thought: number | undefined): void;
}

/** One thought: face, text and number; the number opens what can be done with it. */
export function Thought(props: ThoughtProps) {
  const { exchange, thought, call, isActive, isTarget, isHiding, onHide } = props;
  const { id, text, author, cluster, vetoed } = thought;
  const [isExpanded, setExpanded] = useState(isTarget);
  const number = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isTarget) return;
    setExpanded(true);
    number.current?.closest('[data-place]')?.scrollIntoView({ block: 'center' });
    number.current?.focus({ preventScroll: true });
  }, [isTarget]);
  // A thought stays expanded after it is hidden, so that its reason can be read.
  useEffect(() => void (isHiding && setExpanded(true)), [isHiding]);
  const isOpen = isExpanded || isHiding;
  const isLong = text.length > LONG || text.split('\n').length > 8;
  const classNames = [
    styles.thought,
    !isActive && styles.past,
    vetoed && styles.hidden,
    isTarget && styles.target,
    isLong && !isOpen && styles.cut,
  ];
  return (
    <div className={classNames.filter(Boolean).join(' ')} data-place={exchangePath(exchange.id, `thought.${id}`)}>
      <Face id={author} size="small" />
      <div className={styles.text}>
        <span className="unseen">
          <Name id={author} />:{' '}
        </span>
        <Markdown text={text} />
      </div>
      <span className={styles.marks}>
        {vetoed && <Tag icon={EyeOff}>hidden</Tag>}
        {call?.small && <Tag>small</Tag>}
        {cluster === null ? <span className={styles.alone} /> : <ClusterIcon cluster={cluster} />}
        <button
          ref={number}
          type="button"
          className={styles.number}
          data-stop
          data-thought={id}
          aria-expanded={isOpen}
          onClick={() => setExpanded(!isExpanded)}
        >
          #{id}
        </button>
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
            if (next === undefined) number.current?.focus();
          }}
        />
      )}
    </div>
  );
}

type ThoughtFactsProps = Pick<
  ThoughtProps,
  'exchange' | 'thought' | 'round' | 'call' | 'isActive' | 'isHiding' | 'onHide'
>;

function ThoughtFacts({ exchange, thought, round, call, isActive, isHiding, onHide }: ThoughtFactsProps) {
  const { attempt, busy, refusal } = useAttempt();
  const { id, text, author, vetoed } = thought;
  const hide = (reason: string) => exchange.remote.command('veto', { thought: id, reason });
  const unhide = () => attempt(() => exchange.remote.command('unveto', { thought: id }));
  return (
    <div className={styles.details}>
      <p>
        <Name id={author} />, round {round}
        {call && `, ${call.model}${call.small ? ' (small)' : ''}`}
        {call?.legibility && ', not all of the terms fitted into its input'}
        {!isActive && ', no longer active'}
        {call && call.shown.length > 0 && (
          <>
            . It saw <ThoughtLinks exchange={exchange} ids={call.shown} />
          </>
        )}
      </p>
      {vetoed && (
        <p>
          Hidden from the minds by <Name id={vetoed.by} />, <Time ts={vetoed.ts} />:{' '}
          <q dir="auto">{escapeBidi(vetoed.reason)}</q>
        </p>
      )}
      {isHiding && !vetoed ? (
        <ReasonForm
          label={`Hide thought ${id}`}
          sendLabel="Hide from the minds"
          storageKey={`${exchange.id}.hide.${id}`}
          placeholder="Why should no mind see it?"
          onSend={hide}
          onClose={() => onHide(undefined)}
        />
      ) : (
        <p className={styles.actions}>
          {vetoed ? (
            <Button icon={Eye} disabled={busy} onClick={() => void unhide()}>
              Show to the minds again
            </Button>
          ) : (
            <Button icon={EyeOff} shortcut="v" onClick={() => onHide(id)}>
              Hide from the minds
            </Button>
          )}
          <TextActions link={exchangePath(exchange.id, `thought.${id}`)} text={text} />
        </p>
      )}
      <RefusalMessage reason={refusal} />
    </div>
  );
}
