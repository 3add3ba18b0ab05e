import { memo, type ReactNode, useEffect, useRef, useState } from 'react';
import { addRow } from '../../../data/workspace.ts';
import { useActions } from '../../../shell/actions.ts';
import { go } from '../../../shell/address.ts';
import { numeral } from '../../../ui/numeral.ts';
import { visible } from '../../../ui/text/visible.ts';
import { Time } from '../../../ui/time.tsx';
import type { Live } from '../live-exchange.ts';
import { pathIn } from '../places.ts';
import type { Call, Round } from '../queries.ts';
import { ReasonForm } from '../reason-form.tsx';
import { type Columns, Lanes } from './lanes.tsx';
import { ThoughtLine } from './thought-line.tsx';

interface RoundRowProps {
  readonly live: Live;
  readonly round: Round;
  readonly columns: Columns;
  readonly drawn: number;
  /** Thoughts behind this one are active. */
  readonly activeAfter: number;
  readonly several: boolean;
  readonly isTarget: boolean;
  /** The thought of this round that a link points at, or whose reason for being hidden is being written. */
  readonly target: number | undefined;
  readonly hiding: number | undefined;
  onHide(thought: number | undefined): void;
}

/** One round, compressed: a line for each thought, in the lane of its cluster. */
export const RoundRow = memo(function RoundRow(props: RoundRowProps) {
  const { live, round, columns, drawn, activeAfter, several, isTarget, target, hiding, onHide } = props;
  const [isOpen, setOpen] = useState(isTarget);
  const [isGoingBack, setGoingBack] = useState(false);
  const number = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isTarget) return;
    setOpen(true);
    number.current?.scrollIntoView({ block: 'center' });
    number.current?.focus({ preventScroll: true });
  }, [isTarget]);
  useActions('This exchange', [
    {
      name: `Roll back to round ${round.round}`,
      many: true,
      act() {
        setOpen(true);
        setGoingBack(true);
      },
    },
  ]);
  const lines = linesOf(round);
  return (
    <article className="round" aria-label={`Round ${round.round}`} data-place={pathIn(live.id, `round.${round.round}`)}>
      {lines.map((line, i) => (
        <div key={line.key} className="round-line">
          <Lanes columns={columns} drawn={drawn} cluster={line.thought?.cluster} />
          {i === 0 ? (
            <button
              ref={number}
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
              live={live}
              thought={line.thought}
              call={line.call}
              several={several}
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
          <Lanes columns={columns} drawn={drawn} />
          <span />
          <RoundFacts live={live} round={round} isGoingBack={isGoingBack} onGoBack={setGoingBack} />
        </div>
      )}
    </article>
  );
});

interface Line {
  readonly key: string;
  readonly call: Call | undefined;
  readonly thought?: Round['thoughts'][number];
  readonly words?: ReactNode;
}

/** What came of asking each mind, in the order they were asked. */
function linesOf({ thoughts, calls, problem }: Round): readonly Line[] {
  const byIter = Map.groupBy(thoughts, ({ iter }) => iter);
  const lines: Line[] = calls.flatMap((call): Line[] => {
    const own = byIter.get(call.iter) ?? [];
    return [
      ...own.map((thought) => ({ key: `thought ${thought.id}`, call, thought })),
      ...(call.outcome === 'thoughts' ? [] : [{ key: call.event, call, words: outcomeOf(call) }]),
      ...(call.restart === undefined
        ? []
        : [
            {
              key: `${call.event} restart`,
              call,
              words: `${call.author} asks for a restart: ${visible(call.restart)}`,
            },
          ]),
    ];
  });
  if (problem !== undefined) lines.push({ key: 'problem', call: undefined, words: visible(problem) });
  return lines.length > 0 ? lines : [{ key: 'nothing', call: undefined, words: 'Nobody thought anything.' }];
}

function outcomeOf({ author, small, outcome, problem }: Call): string {
  const who = small ? `${author} (small)` : author;
  if (outcome === 'silence') return `${who} was silent.`;
  const what = outcome === 'malformed' ? 'wrote what could not be read' : 'could not answer';
  return `${who} ${what}${problem ? `: ${visible(problem)}` : '.'}`;
}

const MEASURES = ['diversity', 'novelty', 'dominance', 'noise'] as const;

interface RoundFactsProps {
  readonly live: Live;
  readonly round: Round;
  /** The reason for it is being written. */
  readonly isGoingBack: boolean;
  onGoBack(isWanted: boolean): void;
}

function RoundFacts({ live, round, isGoingBack, onGoBack }: RoundFactsProps) {
  const told = MEASURES.flatMap((name) => {
    const value = round.drift[name];
    return value === null ? [] : [`${name} ${value.toFixed(2)}`];
  });
  const tokens = round.calls.reduce((sum, { usage }) => sum + usage.prompt + usage.generated, 0);

  async function goBack(reason: string): Promise<unknown> {
    const done = await live.remote.command('rollback', { round: round.round, ...(reason && { reason }) });
    addRow(done.thread);
    go(`/exchange/${encodeURIComponent(done.thread.id)}`);
    return done;
  }

  return (
    <div className="round-facts">
      <p className="soft">
        Over <Time ts={round.ts} /> · {told.join(' · ')} · {numeral(tokens)} tokens
      </p>
      {isGoingBack ? (
        <ReasonForm
          label={`Roll back to round ${round.round}`}
          does={`Roll back to round ${round.round}, in a branch`}
          keep={`${live.id}.back.${round.round}`}
          isOptional
          send={goBack}
          onClose={() => onGoBack(false)}
        />
      ) : (
        <p className="choices">
          <button type="button" className="act" onClick={() => onGoBack(true)}>
            Roll back to here
          </button>
        </p>
      )}
    </div>
  );
}
