import { Eye, EyeOff, FileDiff, History, Info } from 'lucide-react';
import { useState } from 'react';
import type { AcceptedPair, DraftItem } from '../../../../src/client/index.ts';
import { pluralize } from '../../../../src/core/text/pluralize.ts';
import { addRow } from '../../../data/workspace.ts';
import { useActions } from '../../../shell/actions.ts';
import { navigate, threadPath } from '../../../shell/address.ts';
import { BroughtNoteAt, OpenedThreads } from '../../../transfer/origin-notes.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Face, Name } from '../../../ui/people/participant.tsx';
import { RefusalMessage, useAttempt } from '../../../ui/refusal.tsx';
import { useIsNarrow } from '../../../ui/sheet.tsx';
import { Tag } from '../../../ui/status/badge.tsx';
import { DiffText } from '../../../ui/text/diff.tsx';
import { TextActions } from '../../text-actions.tsx';
import { Sentences } from '../drafts/sentences.tsx';
import type { LiveDialogue } from '../live-dialogue.ts';
import { Said } from './message.tsx';
import { OtherDrafts } from './other-drafts.tsx';
import styles from './past.module.css';

interface PastTurnProps {
  readonly dialogue: LiveDialogue;
  /** The participant who drafts. */
  readonly mind: string;
  readonly pair: AcceptedPair;
  readonly highlight: string | undefined;
  onSelect(sentence?: string): void;
}

/** A message and the reply that was accepted. */
export function PastTurn({ dialogue, mind, pair, highlight, onSelect }: PastTurnProps) {
  const [areEditsShown, setEditsShown] = useState(false);
  const [others, setOthers] = useState<readonly DraftItem[]>();
  const isNarrow = useIsNarrow();
  const { attempt, busy, refusal } = useAttempt();
  const { turn, accepted_draft_index: acceptedIndex, difference } = pair;
  const placeOf = (at: string) => threadPath({ id: dialogue.id, kind: 'dialogue' }, at);
  const link = placeOf(`${turn}.${acceptedIndex}`);
  const prune = (to: number) => void attempt(() => dialogue.remote.command('history_prune', { turn: to }));

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

  const hide = pair.pruned
    ? { icon: Eye, label: 'Show to the mind again', onSelect: () => prune(turn - 1) }
    : { icon: EyeOff, label: 'Hide everything up to here from the mind', onSelect: () => prune(turn) };
  const showEdits = {
    icon: FileDiff,
    label: areEditsShown ? 'Show as accepted' : 'Show your edits',
    onSelect: () => setEditsShown(!areEditsShown),
  };
  useActions('This dialogue', [
    { name: `Show your edits in turn ${turn}`, many: true, act: showEdits.onSelect, when: !!difference },
    { name: `All drafts of turn ${turn}`, many: true, act: () => void showOthers() },
    { name: `Show turn ${turn} to the mind again`, many: true, act: hide.onSelect, when: pair.pruned === true },
    { name: `Hide turns up to ${turn} from the mind`, many: true, act: hide.onSelect, when: !pair.pruned },
    ...(others ?? []).map(({ index }) => ({
      name: `Answer turn ${turn} with draft ${index} instead, in a fork`,
      many: true as const,
      act: () => void reopen(index),
    })),
  ]);

  return (
    <li className={styles.turn} data-pruned={pair.pruned}>
      <article id={`turn-${turn}`} aria-label={`Turn ${turn}`} tabIndex={-1} data-place={link}>
        <Said
          by={pair.asked.by}
          ts={pair.asked.ts}
          text={pair.message}
          attachments={pair.attachments}
          actions={<TextActions link={placeOf(String(turn))} text={pair.message} isFolded />}
        />
        <div className={styles.answer}>
          <div className={styles.reply}>
            {areEditsShown && difference ? (
              <DiffText hunks={difference} />
            ) : (
              <Sentences text={pair.reply} highlight={highlight} onSelect={onSelect} />
            )}
          </div>
          <div className={styles.after}>
            <Face id={mind} size="small" />
            <span>
              <Name id={mind} /> · <a href={link} data-in-page>{`draft ${acceptedIndex}`}</a>,{' '}
              {acceptedBy(pair, dialogue.me)}
            </span>
            {difference && <Tag>edited</Tag>}
            {pair.pruned && <Tag>hidden from the mind</Tag>}
            <fieldset className={styles.afterActions} disabled={busy}>
              {!isNarrow && (
                <Button kind="quiet" icon={Info} onClick={() => onSelect()}>
                  Source
                </Button>
              )}
              <Button kind="quiet" icon={History} aria-expanded={!!others} onClick={() => void showOthers()}>
                {pair.drafts === 1 ? '1 draft' : `All ${pluralize(pair.drafts, 'draft')}`}
              </Button>
              <TextActions
                link={link}
                text={pair.reply}
                isFolded
                items={difference ? [showEdits, hide] : [hide]}
                onSource={onSelect}
              />
            </fieldset>
          </div>
          <BroughtNoteAt thread={dialogue.id} at={`${turn}.${acceptedIndex}`} />
          <OpenedThreads link={link} />
          <RefusalMessage reason={refusal} />
          {others && (
            <OtherDrafts
              accepted={pair.reply}
              drafts={others}
              busy={busy}
              linkOf={(draft) => placeOf(`${turn}.${draft}`)}
              onReopen={(draft) => void reopen(draft)}
            />
          )}
        </div>
      </article>
    </li>
  );
}

function acceptedBy({ by, auto }: AcceptedPair, me: string): string {
  if (auto)
    return `accepted automatically after ${auto.after} quiet iterations (set by ${auto.set_by === me ? 'you' : auto.set_by})`;
  return `accepted by ${by === me ? 'you' : by}`;
}
