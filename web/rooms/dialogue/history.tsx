import { useEffect, useState } from 'react';
import { diffWords } from '../../../src/core/text/diff.ts';
import { useStore } from '../../data/store.ts';
import { addRow } from '../../data/workspace.ts';
import { useActions } from '../../shell/actions.ts';
import { go, pathTo } from '../../shell/address.ts';
import { Elsewhere } from '../../transfer/buttons.tsx';
import { BroughtHere, CameOf } from '../../transfer/origin-notes.tsx';
import { Refused, useWish } from '../../ui/request.tsx';
import { Difference } from '../../ui/text/diff.tsx';
import { visible } from '../../ui/text/visible.ts';
import { Time } from '../../ui/time.tsx';
import { Sentences } from './drafts/sentences.tsx';
import type { Talk } from './live-dialogue.ts';
import type { Draft, Pair } from './queries.ts';

interface HistoryProps {
  readonly talk: Talk;
  readonly lit: { readonly turn: number; readonly sentence?: string | undefined } | undefined;
  /** The turn the address points at. */
  readonly target: number | undefined;
  onTouch(turn: number, draft: number, sentence?: string): void;
}

/** What was said and accepted, newest first (D7). */
export function History({ talk, lit, target, onTouch }: HistoryProps) {
  const { pairs, more } = useStore(talk.history);
  const isThere = pairs.some(({ turn }) => turn === target);
  useEffect(() => {
    if (isThere) document.getElementById(`turn-${target}`)?.scrollIntoView({ block: 'start' });
  }, [isThere, target]);
  if (pairs.length === 0) return null;
  return (
    <section className="past" aria-label="History">
      <ol>
        {pairs.map((pair) => (
          <PairView
            key={pair.turn}
            talk={talk}
            pair={pair}
            lit={lit?.turn === pair.turn ? (lit.sentence ?? '') : undefined}
            onTouch={(sentence) => onTouch(pair.turn, pair.accepted_draft_index, sentence)}
          />
        ))}
      </ol>
      {more && (
        <button type="button" className="act" onClick={() => void talk.showEarlier()}>
          Show earlier ones
        </button>
      )}
    </section>
  );
}

interface PairProps {
  readonly talk: Talk;
  readonly pair: Pair;
  readonly lit: string | undefined;
  onTouch(sentence?: string): void;
}

function PairView({ talk, pair, lit, onTouch }: PairProps) {
  const [changes, setChanges] = useState(false);
  const [others, setOthers] = useState<readonly Draft[]>();
  const { wish, busy, refusal } = useWish();
  const { turn, accepted_draft_index: accepted, difference } = pair;
  const place = pathTo({ id: talk.id, kind: 'dialogue' }, `${turn}.${accepted}`);
  const prune = (to: number) => wish(() => talk.remote.command('history_prune', { turn: to }));

  async function showOthers(): Promise<void> {
    if (others) return setOthers(undefined);
    const page = await wish(() => talk.reads.drafts({ turn, limit: 100 }));
    if (page) setOthers(page.drafts.filter(({ index, signal }) => index !== accepted && signal !== 'soft'));
  }

  async function reopen(draft: number): Promise<void> {
    const made = await wish(() => talk.remote.command('reopen', { turn, draft }));
    if (!made) return;
    addRow(made.thread);
    go(pathTo(made.thread));
  }

  useActions('This dialogue', [
    { name: `What was edited in turn ${turn}`, many: true, act: () => setChanges(!changes), when: !!difference },
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
      <article id={`turn-${turn}`} aria-label={`Turn ${turn}`} tabIndex={-1} data-place={place}>
        <p className="said-before" dir="auto">
          {visible(pair.message)}
        </p>
        <div className="answer">
          <p className="facts">
            <b>
              <a href={`/dialogue/${encodeURIComponent(talk.id)}#${turn}.${accepted}`} data-in-page>
                #{accepted}
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
            {changes && difference ? (
              <Difference hunks={difference} />
            ) : (
              <Sentences text={pair.reply} lit={lit} onTouch={onTouch} />
            )}
            <fieldset className="draft-acts" disabled={busy}>
              {difference && (
                <button type="button" className="act" aria-pressed={changes} onClick={() => setChanges(!changes)}>
                  {changes ? 'As accepted' : 'What was edited'}
                </button>
              )}
              <button type="button" className="act" onClick={() => onTouch()}>
                Where from
              </button>
              <Elsewhere link={place} />
              <button type="button" className="act" aria-expanded={!!others} onClick={() => void showOthers()}>
                Other drafts
              </button>
              {pair.pruned ? (
                <button type="button" className="act" onClick={() => void prune(turn - 1)}>
                  Show it to the mind again
                </button>
              ) : (
                <button type="button" className="act" onClick={() => void prune(turn)}>
                  Hide up to here from the mind
                </button>
              )}
            </fieldset>
            <BroughtHere thread={talk.id} at={`${turn}.${accepted}`} />
            <CameOf link={place} />
            <Refused because={refusal} />
            {others?.length === 0 && <p className="soft">It was the only one.</p>}
            {others?.map((draft) => (
              <div key={draft.index} className="other">
                <p className="soft">#{draft.index}, as it differs from the accepted one</p>
                <Difference hunks={diffWords(pair.reply, draft.text)} />
                <button type="button" className="act" disabled={busy} onClick={() => void reopen(draft.index)}>
                  Answer with #{draft.index} instead, in a fork
                </button>
              </div>
            ))}
          </div>
        </div>
      </article>
    </li>
  );
}
