import { Hourglass } from 'lucide-react';
import { type RefObject, Suspense, useState } from 'react';
import type { DialogueStatus, DraftItem } from '../../../../src/client/index.ts';
import { Glyph } from '../../../ui/icon.tsx';
import { lazyWithRetry } from '../../../ui/lazy.ts';
import { Face, Name } from '../../../ui/people/participant.tsx';
import { useHue } from '../../../ui/people/people.ts';
import { useIsNarrow } from '../../../ui/sheet.tsx';
import { LiveLine } from '../../../ui/status/live-line.tsx';
import { StreamingText } from '../../../ui/text/streaming-text.tsx';
import { CutText } from '../../cut-text.tsx';
import { TextActions } from '../../text-actions.tsx';
import type { LiveDialogue } from '../live-dialogue.ts';
import type { ComparisonLook } from './comparison.tsx';
import { type DraftActions, DraftPage } from './draft-page.tsx';
import { ThoughtsFold, UsageLine } from './foot.tsx';
import { Scrubber } from './scrubber.tsx';
import styles from './sheet.module.css';
import { type TurnData, useLiveDraft } from './turn-data.ts';
import type { TurnView } from './turn-view.ts';
import { WaitingCard } from './waiting.tsx';

const ComparisonHead = lazyWithRetry(async () => (await import('./comparison.tsx')).ComparisonHead);
const ComparisonPage = lazyWithRetry(async () => (await import('./comparison.tsx')).ComparisonPage);

const PAGE_ID = 'draft-page';

interface TurnSheetProps {
  readonly dialogue: LiveDialogue;
  readonly status: DialogueStatus;
  readonly data: TurnData;
  readonly view: TurnView;
  /** The link to the turn. */
  readonly path: string;
  readonly highlight: { readonly draft: number; readonly sentence?: string | undefined } | undefined;
  readonly sheet: RefObject<HTMLElement | null>;
  readonly actions: DraftActions;
}

/** The live turn: who writes what now, the drafts as a strip, and one of them to read. */
export function TurnSheet({ dialogue, status, data, view, path, highlight, sheet, actions }: TurnSheetProps) {
  const isNarrow = useIsNarrow();
  const [look, setLook] = useState<ComparisonLook>('inline');
  const { strip, buffer, waiting, replies } = data;
  const { shown, reply, compared, isEditing } = view;
  const hue = useHue(status.self);
  const isWriting = shown?.kind === 'writing';
  const shownAt = shown ? strip.indexOf(shown) : -1;
  const nextReply = strip.findIndex(({ kind }, at) => at > shownAt && (kind === 'reply' || kind === 'writing'));
  const since = strip.slice(shownAt + 1, nextReply < 0 ? undefined : nextReply);
  return (
    <section className={styles.sheet} ref={sheet} aria-label="Drafts">
      <div className={styles.top}>
        {compared ? (
          <Suspense>
            <ComparisonHead
              {...compared}
              drafts={[...replies].reverse()}
              look={look}
              onChange={view.compareDrafts}
              onLook={setLook}
            />
          </Suspense>
        ) : (
          <header className={styles.head}>
            <Face id={status.self} size="medium" />
            <span className={styles.name}>
              <Name id={status.self} />
            </span>
            <span className={styles.state}>
              <MindState status={status} data={data} hue={hue} />
            </span>
            {reply && (
              <TextActions
                link={`${path}.${reply.index}`}
                text={reply.text}
                isFolded={isNarrow}
                onSource={() => actions.explain(reply)}
              />
            )}
          </header>
        )}
        {strip.length > 0 && (
          <Scrubber
            strip={strip}
            selected={compared ? view.iterOf(compared.second) : shown?.iter}
            ringed={compared ? [view.iterOf(compared.first), view.iterOf(compared.second)] : []}
            unloaded={buffer.total - buffer.drafts.length}
            hue={hue}
            panel={PAGE_ID}
            onSelect={view.pick}
            onShowOlder={() => void dialogue.showOlder()}
          />
        )}
      </div>
      <div id={PAGE_ID}>
        {compared ? (
          <Suspense>
            <ComparisonPage {...compared} look={look} />
          </Suspense>
        ) : (
          <div className={styles.page}>
            {isWriting && data.isDrafting ? (
              <GrowingDraft dialogue={dialogue} data={data} hue={hue} />
            ) : (
              shown &&
              shown.kind !== 'waiting' && (
                <DraftPage
                  dialogue={dialogue}
                  mark={shown}
                  reply={reply}
                  since={since}
                  path={path}
                  turn={buffer.turn ?? 0}
                  highlight={highlight && highlight.draft === reply?.index ? highlight.sentence : undefined}
                  isEditing={isEditing}
                  actions={actions}
                />
              )
            )}
            {!shown && !waiting && <p className={styles.note}>{emptyText(data)}</p>}
            {waiting?.partial !== undefined && <CutText text={waiting.partial} />}
            {waiting && <WaitingCard dialogue={dialogue} status={status} waiting={waiting} />}
          </div>
        )}
      </div>
      <UsageLine status={status} />
      <ThoughtsFold dialogue={dialogue} count={status.thoughts} data={data} />
    </section>
  );
}

interface GrowingDraftProps {
  readonly dialogue: LiveDialogue;
  readonly data: TurnData;
  readonly hue: number;
}

function GrowingDraft({ dialogue, data, hue }: GrowingDraftProps) {
  const live = useLiveDraft(dialogue, data);
  return (
    <div className={styles.draft}>
      <StreamingText text={live?.draft ?? ''} hue={hue} isCut={live?.isCut ?? false} />
    </div>
  );
}

function emptyText({ isRunning }: TurnData): string {
  return isRunning ? 'The first draft appears here as it is written.' : 'No draft yet.';
}

/** What the mind does now, in a word, and for how long. */
function MindState({
  status,
  data: { liveSince, isDrafting, waiting, isRunning, buffer, replies },
  hue,
}: {
  readonly status: DialogueStatus;
  readonly data: TurnData;
  readonly hue: number;
}) {
  const { run } = status;
  const began = useBeginning(status);
  if (waiting) {
    return (
      <>
        <Glyph icon={Hourglass} size={14} /> Waiting to write draft {buffer.total + 1}
      </>
    );
  }
  if (isDrafting) return <LiveLine doing={`Writing draft ${buffer.total + 1}`} since={liveSince ?? began} hue={hue} />;
  if (isRunning) return <LiveLine doing="Thinking" since={liveSince ?? began} hue={hue} />;
  if (run?.state === 'paused') return 'Paused';
  return latestText(replies[0]);
}

function latestText(latest: DraftItem | undefined): string {
  if (!latest) return '';
  return latest.status === 'final' ? `Draft ${latest.index} is final` : `Draft ${latest.index} is ready`;
}

/** When this page saw the current iteration begin. */
function useBeginning({ iter, run }: DialogueStatus): number {
  const [beginning, setBeginning] = useState({ iter, at: Date.parse(run?.since ?? '') || Date.now() });
  if (beginning.iter === iter) return beginning.at;
  const next = { iter, at: Date.now() };
  setBeginning(next);
  return next.at;
}
