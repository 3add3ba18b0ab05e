import { memo, type ReactNode, useEffect, useRef, useState } from 'react';
import type { RoundCall, RoundItem } from '../../../../src/client/index.ts';
import { formatNumber } from '../../../../src/core/text/format-number.ts';
import { addRow } from '../../../data/workspace.ts';
import { useActions } from '../../../shell/actions.ts';
import { navigate } from '../../../shell/address.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { Time } from '../../../ui/time.tsx';
import type { LiveExchange } from '../live-exchange.ts';
import { exchangePath } from '../places.ts';
import { ReasonForm } from '../reason-form.tsx';
import { type LaneColumns, Lanes } from './lanes.tsx';
import { ThoughtLine } from './thought-line.tsx';

interface RoundRowProps {
  readonly exchange: LiveExchange;
  readonly round: RoundItem;
  readonly columns: LaneColumns;
  readonly laneMask: number;
  /** Thoughts with a higher id are active. */
  readonly activeAfter: number;
  readonly hasSeveralMinds: boolean;
  readonly isTarget: boolean;
  /** The thought of this round that a link points to, or that is being hidden. */
  readonly target: number | undefined;
  readonly hiding: number | undefined;
  onHide(thought: number | undefined): void;
}

/** One round, compressed: a line for each thought, in the lane of its cluster. */
export const RoundRow = memo(function RoundRow(props: RoundRowProps) {
  const { exchange, round, columns, laneMask, activeAfter, hasSeveralMinds, isTarget, target, hiding, onHide } = props;
  const [isOpen, setOpen] = useState(isTarget);
  const [isRollingBack, setRollingBack] = useState(false);
  const numberButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isTarget) return;
    setOpen(true);
    numberButton.current?.scrollIntoView({ block: 'center' });
    numberButton.current?.focus({ preventScroll: true });
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
  const lines = linesOf(round);
  return (
    <article
      className="round"
      aria-label={`Round ${round.round}`}
      data-place={exchangePath(exchange.id, `round.${round.round}`)}
    >
      {lines.map((line, i) => (
        <div key={line.key} className="round-line">
          <Lanes columns={columns} laneMask={laneMask} cluster={line.thought?.cluster} />
          {i === 0 ? (
            <button
              ref={numberButton}
              type="button"
              className="round-number"
              aria-expanded={isOpen}
              aria-label={`Round ${round.round}`}
              title="What was measured, and how to go back to here"
              {...(round.thoughts.length === 0 && { 'data-stop': true })}
              onClick={() => setOpen(!isOpen)}
            >
              {round.round}
            </button>
          ) : (
            <span />
          )}
          {line.thought ? (
            <ThoughtLine
              exchange={exchange}
              thought={line.thought}
              round={round.round}
              call={line.call}
              hasSeveralMinds={hasSeveralMinds}
              isActive={line.thought.id > activeAfter}
              isTarget={line.thought.id === target}
              isHiding={line.thought.id === hiding}
              onHide={onHide}
            />
          ) : (
            <p className="soft outcome">{line.words}</p>
          )}
        </div>
      ))}
      {isOpen && (
        <div className="round-line">
          <Lanes columns={columns} laneMask={laneMask} />
          <span />
          <RoundFacts exchange={exchange} round={round} isRollingBack={isRollingBack} onRollBack={setRollingBack} />
        </div>
      )}
    </article>
  );
});

interface RoundLine {
  readonly key: string;
  readonly call: RoundCall | undefined;
  readonly thought?: RoundItem['thoughts'][number];
  readonly words?: ReactNode;
}

/** The result of each mind's call, in call order. */
function linesOf({ thoughts, calls, problem }: RoundItem): readonly RoundLine[] {
  const byIter = Map.groupBy(thoughts, ({ iter }) => iter);
  const lines: RoundLine[] = calls.flatMap((call): RoundLine[] => {
    const ownThoughts = byIter.get(call.iter) ?? [];
    return [
      ...ownThoughts.map((thought) => ({ key: `thought ${thought.id}`, call, thought })),
      ...(call.outcome === 'thoughts' ? [] : [{ key: call.event, call, words: describeOutcome(call) }]),
      ...(call.restart === undefined
        ? []
        : [
            {
              key: `${call.event} restart`,
              call,
              words: `${call.author} asks for a restart: ${escapeBidi(call.restart)}`,
            },
          ]),
    ];
  });
  if (problem !== undefined) lines.push({ key: 'problem', call: undefined, words: escapeBidi(problem) });
  return lines.length > 0 ? lines : [{ key: 'nothing', call: undefined, words: 'Nobody thought anything.' }];
}

function describeOutcome({ author, small, outcome, problem }: RoundCall): string {
  const who = small ? `${author} (small)` : author;
  if (outcome === 'silence') return `${who} was silent.`;
  const failure = outcome === 'malformed' ? 'wrote what could not be read' : 'could not answer';
  return `${who} ${failure}${problem ? `: ${escapeBidi(problem)}` : '.'}`;
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
    <div className="round-facts">
      <p className="soft">
        Over <Time ts={round.ts} /> · {measurements.join(' · ')} · {formatNumber(tokens)} tokens
      </p>
      {isRollingBack ? (
        <ReasonForm
          label={`Roll back to round ${round.round}`}
          sendLabel={`Roll back to round ${round.round}, in a branch`}
          storageKey={`${exchange.id}.back.${round.round}`}
          isOptional
          onSend={rollBack}
          onClose={() => onRollBack(false)}
        />
      ) : (
        <p className="choices">
          <ActionButton onClick={() => onRollBack(true)}>Roll back to here</ActionButton>
        </p>
      )}
    </div>
  );
}
