import { Hourglass } from 'lucide-react';
import { creditOf } from '../../../../src/core/loom/authorship/credits.ts';
import type { ModelWait } from '../../../../src/core/runs/schema.ts';
import { isWaiting } from '../../../../src/core/runs/wait.ts';
import { formatCount } from '../../../../src/core/text/pluralize.ts';
import { useStore } from '../../../data/store.ts';
import { Kbd } from '../../../ui/controls/kbd.tsx';
import { Glyph } from '../../../ui/icon.tsx';
import { hueOf } from '../../../ui/people/hue.ts';
import { Face, Name } from '../../../ui/people/participant.tsx';
import { LiveLine } from '../../../ui/status/live-line.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
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
  const waiting = useGenerationWait(loom, stream?.generation);
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
      <span className={styles.text} dir="auto" data-growing={stream !== undefined && !waiting}>
        {shorten(text, stream !== undefined) || (stream ? '' : '(nothing)')}
      </span>
      <span className={styles.foot}>
        {stream ? (
          <StreamStatus loom={loom} generation={stream.generation} hue={hueOf(author)} waiting={waiting} />
        ) : (
          outcomeText(text, loom.shelf.outcomes.get(id))
        )}
      </span>
    </div>
  );
}

interface StreamStatusProps {
  readonly loom: OpenLoom;
  readonly generation: string;
  readonly hue: number;
  readonly waiting: ModelWait | undefined;
}

function StreamStatus({ loom, generation, hue, waiting }: StreamStatusProps) {
  if (waiting) {
    return (
      <span className={styles.waiting}>
        <Glyph icon={Hourglass} size={12} /> Waiting for the model
      </span>
    );
  }
  return <LiveLine doing="Writing" since={loom.replica.streams.since.get(generation) ?? Date.now()} hue={hue} />;
}

/** Why a generation does not go on right now. */
function useGenerationWait({ replica }: OpenLoom, generation: string | undefined): ModelWait | undefined {
  const { openGenerations } = useStore(replica.loom);
  const waiting = openGenerations.find(({ request }) => request.generation === generation)?.waiting;
  return waiting && isWaiting(waiting, Date.now()) ? waiting : undefined;
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
