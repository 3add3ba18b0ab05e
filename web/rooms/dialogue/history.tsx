import { useEffect, useState } from 'react';
import type { AcceptedPair, DraftItem } from '../../../src/client/index.ts';
import { diffWords } from '../../../src/core/text/diff.ts';
import { useStore } from '../../data/store.ts';
import { addRow } from '../../data/workspace.ts';
import { useActions } from '../../shell/actions.ts';
import { navigate, threadPath } from '../../shell/address.ts';
import { TransferButtons } from '../../transfer/buttons.tsx';
import { BroughtNoteAt, OpenedThreads } from '../../transfer/origin-notes.tsx';
import { ActionButton } from '../../ui/action-button.tsx';
import { RefusalMessage, useAttempt } from '../../ui/refusal.tsx';
import { DiffText } from '../../ui/text/diff.tsx';
import { Markdown } from '../../ui/text/markdown.tsx';
import { Time } from '../../ui/time.tsx';
import { Sentences } from './drafts/sentences.tsx';
import type { LiveDialogue } from './live-dialogue.ts';

interface HistoryProps {
  readonly dialogue: LiveDialogue;
  readonly highlight: { readonly turn: number; readonly sentence?: string | undefined } | undefined;
  /** The turn that the URL points to. */
  readonly target: number | undefined;
  onSelect(turn: number, draft: number, sentence?: string): void;
}

/** Accepted messages and replies, newest first (D7). */
export function History({ dialogue, highlight, target, onSelect }: HistoryProps) {
  const { pairs, hasMore } = useStore(dialogue.history);
  const isLoaded = pairs.some(({ turn }) => turn === target);
  useEffect(() => {
    if (isLoaded) document.getElementById(`turn-${target}`)?.scrollIntoView({ block: 'start' });
  }, [isLoaded, target]);
  if (pairs.length === 0) return null;
  return (
    <section className="past" aria-label="History">
      <ol>
        {pairs.map((pair) => (
          <AcceptedPairView
            key={pair.turn}
            dialogue={dialogue}
            pair={pair}
            highlight={highlight?.turn === pair.turn ? (highlight.sentence ?? '') : undefined}
            onSelect={(sentence) => onSelect(pair.turn, pair.accepted_draft_index, sentence)}
          />
        ))}
      </ol>
      {hasMore && <ActionButton onClick={() => void dialogue.showEarlier()}>Show earlier ones</ActionButton>}
    </section>
  );
}

interface AcceptedPairProps {
  readonly dialogue: LiveDialogue;
  readonly pair: AcceptedPair;
  readonly highlight: string | undefined;
  onSelect(sentence?: string): void;
}

function AcceptedPairView({ dialogue, pair, highlight, onSelect }: AcceptedPairProps) {
  const [areEditsShown, setEditsShown] = useState(false);
  const [others, setOthers] = useState<readonly DraftItem[]>();
  const { attempt, busy, refusal } = useAttempt();
  const { turn, accepted_draft_index: acceptedIndex, difference } = pair;
  const link = threadPath({ id: dialogue.id, kind: 'dialogue' }, `${turn}.${acceptedIndex}`);
  const prune = (to: number) => attempt(() => dialogue.remote.command('history_prune', { turn: to }));

  async function showOthers(): Promise<void> {
    if (others) return setOthers(undefined);
    const page = await attempt(() => dialogue.queries.drafts({ turn, limit: 100 }));
    if (page) setOthers(page.drafts.filter(({ index, signal }) => index !== acceptedIndex && signal !== 'soft'));
  }

  async function reopen(draft: number): Promise<void> {
    const outcome = await attempt(() => dialogue.remote.command('reopen', { turn, draft }));
    if (!outcome) return;
    addRow(outcome.thread);
    navigate(threadPath(outcome.thread));
  }

  useActions('This dialogue', [
    {
      name: `What was edited in turn ${turn}`,
      many: true,
      act: () => setEditsShown(!areEditsShown),
      when: !!difference,
    },
    { name: `Other drafts of turn ${turn}`, many: true, act: () => void showOthers() },
    {
      name: `Show turn ${turn} to the mind again`,
      many: true,
      act: () => void prune(turn - 1),
      when: pair.pruned === true,
    },
    { name: `Hide up to turn ${turn} from the mind`, many: true, act: () => void prune(turn), when: !pair.pruned },
    ...(others ?? []).map(({ index }) => ({
      name: `Answer turn ${turn} with draft ${index} instead, in a fork`,
      many: true as const,
      act: () => void reopen(index),
    })),
  ]);

  return (
    <li className={pair.pruned ? 'pair pruned' : 'pair'}>
      <article id={`turn-${turn}`} aria-label={`Turn ${turn}`} tabIndex={-1} data-place={link}>
        <div className="said-before">
          <Markdown text={pair.message} />
        </div>
        <div className="answer">
          <p className="facts">
            <b>
              <a href={`/dialogue/${encodeURIComponent(dialogue.id)}#${turn}.${acceptedIndex}`} data-in-page>
                #{acceptedIndex}
              </a>
            </b>
            <span>
              accepted <Time ts={pair.ts} />
            </span>
            {difference && <span>with edits</span>}
            {pair.auto && (
              <span>
                by itself, after {pair.auto.after} quiet iterations, as {pair.auto.set_by} had set
              </span>
            )}
            {pair.pruned && <span>hidden from the mind</span>}
          </p>
          <div>
            {areEditsShown && difference ? (
              <DiffText hunks={difference} />
            ) : (
              <Sentences text={pair.reply} highlight={highlight} onSelect={onSelect} />
            )}
            <fieldset className="draft-acts" disabled={busy}>
              {difference && (
                <ActionButton aria-pressed={areEditsShown} onClick={() => setEditsShown(!areEditsShown)}>
                  {areEditsShown ? 'As accepted' : 'What was edited'}
                </ActionButton>
              )}
              <ActionButton onClick={() => onSelect()}>Source</ActionButton>
              <TransferButtons link={link} />
              <ActionButton aria-expanded={!!others} onClick={() => void showOthers()}>
                Other drafts
              </ActionButton>
              {pair.pruned ? (
                <ActionButton onClick={() => void prune(turn - 1)}>Show it to the mind again</ActionButton>
              ) : (
                <ActionButton onClick={() => void prune(turn)}>Hide up to here from the mind</ActionButton>
              )}
            </fieldset>
            <BroughtNoteAt thread={dialogue.id} at={`${turn}.${acceptedIndex}`} />
            <OpenedThreads link={link} />
            <RefusalMessage reason={refusal} />
            {others?.length === 0 && <p className="soft">It was the only one.</p>}
            {others?.map((draft) => (
              <div key={draft.index} className="other">
                <p className="soft">#{draft.index}, as it differs from the accepted one</p>
                <DiffText hunks={diffWords(pair.reply, draft.text)} />
                <ActionButton disabled={busy} onClick={() => void reopen(draft.index)}>
                  Answer with #{draft.index} instead, in a fork
                </ActionButton>
              </div>
            ))}
          </div>
        </div>
      </article>
    </li>
  );
}
