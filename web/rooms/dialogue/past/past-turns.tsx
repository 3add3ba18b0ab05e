import { useEffect } from 'react';
import { useStore } from '../../../data/store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import type { LiveDialogue } from '../live-dialogue.ts';
import styles from './past.module.css';
import { PastTurn } from './past-turn.tsx';

interface PastTurnsProps {
  readonly dialogue: LiveDialogue;
  readonly mind: string;
  readonly highlight: { readonly turn: number; readonly sentence?: string | undefined } | undefined;
  /** The turn that the URL points to. */
  readonly target: number | undefined;
  onSelect(turn: number, draft: number, sentence?: string): void;
}

/** Accepted messages and replies, oldest first (D7, I13). */
export function PastTurns({ dialogue, mind, highlight, target, onSelect }: PastTurnsProps) {
  const { pairs, hasMore } = useStore(dialogue.history);
  const isLoaded = pairs.some(({ turn }) => turn === target);
  const isEarlier = target !== undefined && hasMore && target < (pairs.at(-1)?.turn ?? 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: page by page, until the turn is there
  useEffect(() => {
    if (isEarlier) void dialogue.showEarlier();
  }, [isEarlier, pairs]);
  useEffect(() => {
    if (isLoaded) document.getElementById(`turn-${target}`)?.scrollIntoView({ block: 'start' });
  }, [isLoaded, target]);
  if (pairs.length === 0) return null;
  return (
    <section aria-label="History" className={styles.past}>
      {hasMore && (
        <p className={styles.earlier}>
          <Button onClick={() => void dialogue.showEarlier()}>Show earlier turns</Button>
        </p>
      )}
      <ol>
        {[...pairs].reverse().map((pair) => (
          <PastTurn
            key={pair.turn}
            dialogue={dialogue}
            mind={mind}
            pair={pair}
            highlight={highlight?.turn === pair.turn ? (highlight.sentence ?? '') : undefined}
            onSelect={(sentence) => onSelect(pair.turn, pair.accepted_draft_index, sentence)}
          />
        ))}
      </ol>
    </section>
  );
}
