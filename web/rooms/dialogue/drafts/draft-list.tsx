import { type RefObject, useLayoutEffect, useMemo, useState } from 'react';
import { likenessOf } from '../../../../src/core/dialogue/view/away.ts';
import { linkTo } from '../../../../src/core/link.ts';
import { useStore } from '../../../data/store.ts';
import { asked, underHand } from '../../../explain/target.ts';
import { useActions } from '../../../shell/actions.ts';
import { visits } from '../../../shell/address.ts';
import { numeral } from '../../../ui/numeral.ts';
import type { Talk } from '../live-dialogue.ts';
import type { Draft, Status } from '../queries.ts';
import { type Mark, marksOf, sheetsOf } from './buffer.ts';
import { DraftSheet, type SheetActions } from './draft-sheet.tsx';
import { Rail } from './rail.tsx';
import { useSeen } from './seen-tracking.ts';
import { sentencesOf } from './sentences.tsx';
import { Since } from './signals.tsx';

/** From so much in common on, a draft folds into the newer one beside it. */
const ALIKE = 0.85;

export interface Touched {
  readonly turn: number;
  readonly draft: number;
  readonly sentence?: string | undefined;
}

interface DraftsProps {
  readonly talk: Talk;
  readonly status: Status;
  readonly area: RefObject<HTMLElement | null>;
  readonly touched: Touched | undefined;
  readonly target: number | undefined;
  accept(draft: Draft, text?: string): Promise<unknown>;
  onTouch(touched: Touched): void;
}

/** The buffer as it grows, with the signal channel beside it. */
export function Drafts({ talk, status, area, touched, target, accept, onTouch }: DraftsProps) {
  const buffer = useStore(talk.buffer);
  const marks = useMemo(() => marksOf(buffer, status.iter), [buffer, status.iter]);
  const [alike] = useState(createAlike);
  const { sheets, before } = useMemo(() => sheetsOf(marks, alike), [marks, alike]);
  const [chosen, setChosen] = useState<number>();
  const [compared, setCompared] = useState<{ readonly draft: number; readonly against: number }>();
  const [editing, setEditing] = useState<number>();
  const replies = marks.flatMap(({ kind, draft }) => (kind === 'reply' && draft ? [draft] : []));
  // What a key means is a draft that stood there long enough to be looked at, never one that just came in under the finger.
  const looked = replies.find(({ seen }) => seen) ?? replies[0];
  const current = replies.find(({ index }) => index === chosen) ?? looked;
  const turn = buffer.turn ?? 0;
  const path = linkTo({ id: talk.id, kind: 'dialogue' }, String(turn));
  const visit = useStore(visits);
  useSeen(area, talk, buffer.turn, marks);

  const show = (index: number): boolean => {
    const sheet = area.current?.querySelector<HTMLElement>(`[id="draft-${index}"]`);
    sheet?.focus({ preventScroll: true });
    sheet?.scrollIntoView({ block: 'nearest' });
    return sheet === document.activeElement;
  };
  const toSheet = (index: number) => {
    setChosen(index);
    // At once where it is there already, so that the next key is meant for it; after it is drawn where it is not.
    if (!show(index)) requestAnimationFrame(() => show(index));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address is gone to each time somebody goes to it
  useLayoutEffect(() => {
    if (target !== undefined) toSheet(target);
  }, [target, visit]);

  const actions: SheetActions = {
    accept,
    touch: (draft, sentence) => onTouch({ turn, draft: draft.index, sentence }),
    compare: (draft) => setCompared(compared?.draft === draft.index ? undefined : beside(draft)),
    edit: (draft) => {
      setEditing(draft?.index);
      if (!draft && current) toSheet(current.index);
    },
  };

  /** With the sheet above it; the uppermost with the one below. */
  function beside(draft: Draft): { draft: number; against: number } | undefined {
    const at = replies.indexOf(draft);
    const other = replies[at - 1] ?? replies[at + 1];
    return other && { draft: draft.index, against: other.index };
  }

  function move(by: number): void {
    const at = sheets.findIndex(({ reply }) => reply.index === (chosen ?? -1));
    const next = sheets[at < 0 ? 0 : at + by];
    if (next) toSheet(next.reply.index);
    if (at + by >= sheets.length - 2) void talk.showOlder();
  }

  function moveSentence(by: number): void {
    if (!current) return;
    const all = sentencesOf(current.text).map((sentence) => sentence.trim());
    const at = touched?.turn === turn && touched.draft === current.index ? all.indexOf(touched.sentence ?? '') : -1;
    const next = all[at < 0 ? 0 : at + by];
    if (next) actions.touch(current, next);
  }

  /** A draft is told beside it; a part that is selected, or anything else that is marked, on a sheet of its own. */
  function whereFrom(): void {
    const under = underHand();
    const isDraft = under?.link.startsWith(`${path}.`);
    if (under && (under.passage || !isDraft)) asked.set(under);
    else if (current) actions.touch(current);
  }

  const when = current !== undefined;
  useActions('This dialogue', [
    { name: 'Accept the draft you look at', keys: ['a'], act: () => void (current && accept(current)), when },
    { name: 'Edit it, then accept', keys: ['e'], act: () => current && actions.edit(current), when },
    { name: 'Its difference to the one above', keys: ['d'], act: () => current && actions.compare(current), when },
    { name: 'Where it came from', keys: ['w'], act: whereFrom, when },
    { name: 'Next sentence, and where it came from', keys: ['ArrowRight'], act: () => moveSentence(1), when },
    { name: 'Previous sentence', keys: ['ArrowLeft'], act: () => moveSentence(-1), when },
    { name: 'Next draft', keys: ['j', 'ArrowDown'], act: () => move(1), when },
    { name: 'Previous draft', keys: ['k', 'ArrowUp'], act: () => move(-1), when },
  ]);

  return (
    <div className="buffer">
      <Rail marks={marks} current={current?.index} onGo={toSheet} />
      <ol
        className="sheets"
        aria-label="Drafts, newest first"
        onFocus={({ target }) => {
          const index = target.closest('article[data-draft]')?.getAttribute('data-draft');
          if (index) setChosen(Number(index));
        }}
      >
        {sheets.map((sheet) => {
          const { index, iter } = sheet.reply;
          const against =
            compared?.draft === index ? replies.find((each) => each.index === compared.against) : undefined;
          return (
            <DraftSheet
              key={index}
              sheet={sheet}
              isCurrent={index === current?.index}
              isTarget={index === target}
              isSmall={buffer.small.has(iter)}
              inWindow={status.turn?.window.includes(index) ?? true}
              against={against}
              others={replies.flatMap((each) => (each.index === index ? [] : [each.index]))}
              onAgainst={(other) => setCompared({ draft: index, against: other })}
              isEditing={editing === index}
              path={path}
              keep={`${talk.id}.${turn}.${index}`}
              lit={touched?.turn === turn && touched.draft === index ? touched.sentence : undefined}
              actions={actions}
            />
          );
        })}
        {before.length > 0 && <Before marks={before} accept={accept} />}
        {buffer.drafts.length < buffer.total && (
          <li>
            <button type="button" className="act" onClick={() => void talk.showOlder()}>
              Show older drafts: {numeral(buffer.total - buffer.drafts.length)} more
            </button>
          </li>
        )}
      </ol>
    </div>
  );
}

/** What the mind did before it first replied. */
function Before({ marks, accept }: { readonly marks: readonly Mark[]; accept(draft: Draft): Promise<unknown> }) {
  return (
    <li>
      <Since marks={marks} onAccept={(word) => void accept(word)} />
    </li>
  );
}

/** Two drafts of a turn never change: they are compared once. */
function createAlike(): (a: Draft, b: Draft) => boolean {
  const known = new Map<string, boolean>();
  return (a, b) => {
    const pair = `${a.index} ${b.index}`;
    const found = known.get(pair) ?? likenessOf(a.text, b.text) >= ALIKE;
    known.set(pair, found);
    return found;
  };
}
