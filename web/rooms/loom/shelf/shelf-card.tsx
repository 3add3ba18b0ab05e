import { creditOf } from '../../../../src/core/loom/authorship/credits.ts';
import { isWaiting } from '../../../../src/core/runs/wait.ts';
import { formatCount } from '../../../../src/core/text/pluralize.ts';
import { useStore } from '../../../data/store.ts';
import { Kbd } from '../../../ui/controls/kbd.tsx';
import { hueOf } from '../../../ui/people/hue.ts';
import { Face, Name } from '../../../ui/people/participant.tsx';
import { LiveLine } from '../../../ui/status/live-line.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { modelWaitText } from '../../model-wait.ts';
import type { OpenLoom } from '../loom.ts';
import { parseStreamNodeId } from '../session/outbox.ts';
import { countWords } from '../word-count.ts';
import styles from './shelf.module.css';
import type { ChoiceOutcome } from './shelf-state.ts';

interface ShelfCardProps {
  readonly loom: OpenLoom;
  readonly id: string;
  readonly number: number;
  readonly isChosen: boolean;
  onChoose(): void;
}

/** What fits on a card; the text itself has the rest. */
const SHOWN_LENGTH = 420;
const GROWING_LENGTH = 220;

/** One alternative: who wrote it, its text as it grows, how it ended. */
export function ShelfCard({ loom, id: cardId, number, isChosen, onChoose }: ShelfCardProps) {
  const id = loom.session.resolve(cardId);
  const streamTexts = useStore(loom.replica.streams.texts);
  const stream = parseStreamNodeId(id);
  const text = stream ? (streamTexts.get(stream.generation)?.[stream.choice] ?? '') : loom.session.textOf(id);
  const author = authorOf(loom, id);
  return (
    <div
      role="option"
      className={styles.card}
      aria-selected={isChosen}
      tabIndex={isChosen ? 0 : -1}
      data-hue={hueOf(author)}
      // A click keeps the caret in the text, so that the next key goes there.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
      onKeyDown={() => {}}
    >
      <span className={styles.by}>
        <Face id={author} size="small" />
        <Name id={author} />
        {number < 10 && <Kbd keys={String(number)} />}
      </span>
      <span className={styles.text} dir="auto" data-growing={stream !== undefined}>
        {shorten(text, stream !== undefined) || (stream ? '' : '(nothing)')}
      </span>
      <span className={styles.foot}>
        {stream ? (
          <StreamStatus loom={loom} generation={stream.generation} hue={hueOf(author)} />
        ) : (
          outcomeText(text, loom.shelf.outcomes.get(id))
        )}
      </span>
    </div>
  );
}

function StreamStatus({ loom, generation, hue }: { loom: OpenLoom; generation: string; hue: number }) {
  const { openGenerations } = useStore(loom.replica.loom);
  const waiting = openGenerations.find(({ request }) => request.generation === generation)?.waiting;
  if (waiting && isWaiting(waiting, Date.now())) return modelWaitText(waiting);
  return <LiveLine doing="Writing" since={loom.replica.streams.since.get(generation) ?? Date.now()} hue={hue} />;
}

function authorOf({ session }: OpenLoom, id: string): string {
  const stream = parseStreamNodeId(id);
  if (stream) return session.authorOfStream(stream.generation).author;
  const graph = session.state().graph.read();
  return creditOf(graph, graph.byId.get(id) ?? 0).author;
}

/** "24 tokens · ends a sentence" */
function outcomeText(text: string, outcome: ChoiceOutcome | undefined): string {
  const length =
    outcome?.tokens === undefined ? formatCount(countWords(text), 'word') : formatCount(outcome.tokens, 'token');
  const ending = { failed: 'cut off, kept', cancelled: 'stopped, kept' }[outcome?.finish as string];
  return [length, ending ?? (endsSentence(text) && 'ends a sentence')].filter(Boolean).join(' · ');
}

function endsSentence(text: string): boolean {
  return /[.!?…。！？]["'”’»)\]]*\s*$/u.test(text);
}

/** The end of a text that grows, the beginning of one that is whole. */
function shorten(text: string, isGrowing: boolean): string {
  const trimmed = isGrowing ? text.trimStart() : text.trim();
  const length = isGrowing ? GROWING_LENGTH : SHOWN_LENGTH;
  if (trimmed.length <= length) return escapeBidi(trimmed);
  const part = isGrowing ? `…${trimmed.slice(-length)}` : `${trimmed.slice(0, length)}…`;
  return escapeBidi(part.toWellFormed());
}
