import { ChevronDown, RotateCcw } from 'lucide-react';
import { memo, type ReactNode, useEffect, useRef, useState } from 'react';
import type { RoundCall, RoundItem } from '../../../../src/client/index.ts';
import { formatNumber } from '../../../../src/core/text/format-number.ts';
import { addRow } from '../../../data/workspace.ts';
import { useActions } from '../../../shell/actions.ts';
import { navigate } from '../../../shell/address.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Glyph } from '../../../ui/icon.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { Time } from '../../../ui/time.tsx';
import type { LiveExchange } from '../live-exchange.ts';
import { exchangePath } from '../places.ts';
import { ReasonForm } from '../reason-form.tsx';
import { CallNotes } from './call-notes.tsx';
import styles from './round.module.css';
import { describeRound } from './round-words.ts';
import { Thought } from './thought.tsx';

interface RoundCardProps {
  readonly exchange: LiveExchange;
  readonly round: RoundItem;
  /** Thoughts with a higher id are active. */
  readonly activeAfter: number;
  readonly isTarget: boolean;
  /** The thought of this round that a link points to, or that is being hidden. */
  readonly target: number | undefined;
  readonly hiding: number | undefined;
  onHide(thought: number | undefined): void;
}

/** One round: a line for each thought; its head opens what was measured and the way back to it. */
export const RoundCard = memo(function RoundCard(props: RoundCardProps) {
  const { exchange, round, activeAfter, isTarget, target, hiding, onHide } = props;
  const [isOpen, setOpen] = useState(isTarget);
  const [isRollingBack, setRollingBack] = useState(false);
  const head = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isTarget) return;
    setOpen(true);
    head.current?.scrollIntoView({ block: 'center' });
    head.current?.focus({ preventScroll: true });
  }, [isTarget]);
  useActions('This exchange', [
    {
      name: `Roll back to round ${round.round}`,
      many: true,
      act() {
        setOpen(true);
        setRollingBack(true);
      },
    },
  ]);
  const byIter = Map.groupBy(round.thoughts, ({ iter }) => iter);
  return (
    <article
      className={styles.round}
      aria-label={`Round ${round.round}`}
      data-place={exchangePath(exchange.id, `round.${round.round}`)}
    >
      <button
        ref={head}
        type="button"
        className={styles.head}
        aria-expanded={isOpen}
        {...(round.thoughts.length === 0 && { 'data-stop': true })}
        onClick={() => setOpen(!isOpen)}
      >
        <b>Round {round.round}</b> <span>{describeRound(round)}</span>
        <Glyph icon={ChevronDown} size={14} />
      </button>
      {isOpen && (
        <RoundFacts exchange={exchange} round={round} isRollingBack={isRollingBack} onRollBack={setRollingBack} />
      )}
      {round.calls.map((call: RoundCall) => (
        <CallLines key={call.event} call={call}>
          {(byIter.get(call.iter) ?? []).map((thought) => (
            <Thought
              key={thought.id}
              exchange={exchange}
              thought={thought}
              round={round.round}
              call={call}
              isActive={thought.id > activeAfter}
              isTarget={thought.id === target}
              isHiding={thought.id === hiding}
              onHide={onHide}
            />
          ))}
        </CallLines>
      ))}
      {round.problem !== undefined && (
        <p className={styles.failure} dir="auto">
          {escapeBidi(round.problem)}
        </p>
      )}
    </article>
  );
});

function CallLines({ call, children }: { readonly call: RoundCall; readonly children: ReactNode }) {
  return (
    <>
      {children}
      <CallNotes call={call} />
    </>
  );
}

const MEASURE_NAMES = ['diversity', 'novelty', 'dominance', 'noise'] as const;

interface RoundFactsProps {
  readonly exchange: LiveExchange;
  readonly round: RoundItem;
  /** The reason for the rollback is being written. */
  readonly isRollingBack: boolean;
  onRollBack(isOpen: boolean): void;
}

function RoundFacts({ exchange, round, isRollingBack, onRollBack }: RoundFactsProps) {
  const measurements = MEASURE_NAMES.flatMap((name) => {
    const value = round.drift[name];
    return value === null ? [] : [`${name} ${value.toFixed(2)}`];
  });
  const tokens = round.calls.reduce((sum, { usage }) => sum + usage.prompt + usage.generated, 0);

  async function rollBack(reason: string): Promise<unknown> {
    const outcome = await exchange.remote.command('rollback', { round: round.round, ...(reason && { reason }) });
    addRow(outcome.thread);
    navigate(`/exchange/${encodeURIComponent(outcome.thread.id)}`);
    return outcome;
  }

  return (
    <div className={styles.facts}>
      <p>
        Finished <Time ts={round.ts} /> · {measurements.join(' · ')} · {formatNumber(tokens)} tokens
      </p>
      {isRollingBack ? (
        <ReasonForm
          label={`Roll back to round ${round.round}`}
          sendLabel="Roll back, in a new branch"
          storageKey={`${exchange.id}.back.${round.round}`}
          isOptional
          onSend={rollBack}
          onClose={() => onRollBack(false)}
        />
      ) : (
        <p>
          <Button icon={RotateCcw} onClick={() => onRollBack(true)}>
            Roll back to here
          </Button>
        </p>
      )}
    </div>
  );
}
