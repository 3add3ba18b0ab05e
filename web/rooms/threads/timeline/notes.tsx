import { ChevronDown, ChevronRight, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { Banner } from '../../../ui/status/banner.tsx';
import { LongText } from '../../../ui/text/long-text.tsx';
import { Time } from '../../../ui/time.tsx';
import { SentenceView } from '../wording/sentence-view.tsx';
import { eventSentence } from '../wording/sentences.ts';
import { usageText, wakeClosureOf } from '../wording/wake.ts';
import { eventText, type TimelineEntry } from './entries.ts';
import type { EntryActions } from './entry.tsx';
import styles from './message.module.css';

interface EventNoteProps {
  readonly entry: TimelineEntry;
  readonly actions: EntryActions;
}

/** A change of the thread, in a sentence. */
export function EventNote({ entry: { event, draft }, actions }: EventNoteProps) {
  const [isOpen, setOpen] = useState(false);
  const sentence = eventSentence(event);
  const closure = wakeClosureOf(event);
  const usage = usageText(event);
  if (closure?.outcome === 'failed')
    return (
      <div className={styles.failed}>
        <Banner
          tone="failure"
          action={
            <Button icon={RotateCcw} onClick={() => actions.prod(closure.participant, closure.event)}>
              Try again
            </Button>
          }
        >
          <span dir="auto">{sentence && <SentenceView sentence={sentence} />}</span> <Time ts={event.ts} />
          {usage && <span className={styles.used}> · {usage}</span>}
        </Banner>
      </div>
    );
  return (
    <>
      <p className={styles.note} dir="auto">
        {sentence && <SentenceView sentence={sentence} />} · <Time ts={event.ts} />
        {usage && <span className={styles.used}> · {usage}</span>}
      </p>
      {draft && (
        <div className={styles.content}>
          <Button kind="quiet" className={styles.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? <ChevronDown size={14} aria-hidden="true" /> : <ChevronRight size={14} aria-hidden="true" />}
            {isOpen ? 'Fold' : 'Read'}
          </Button>
          {isOpen && <LongText text={eventText(draft)} />}
        </div>
      )}
    </>
  );
}

interface FoldedNotesProps {
  readonly entries: readonly TimelineEntry[];
  readonly actions: EntryActions;
  /** The event the address points at. */
  readonly target: string | undefined;
}

/** Neighbouring changes in one line, which says the newest that somebody made and opens to all. */
export function FoldedNotes({ entries, actions, target }: FoldedNotesProps) {
  const isTargeted = entries.some(({ event }) => event.id === target);
  const [isOpen, setOpen] = useState(isTargeted);
  // What people did says more than what the workspace reports because of it.
  const newest = entries.findLast(({ event }) => event.type !== 'wake.closed') ?? (entries.at(-1) as TimelineEntry);
  const sentence = eventSentence(newest.event);
  const others = entries.length - 1;
  const isShown = isOpen || isTargeted;
  return (
    <div className={styles.content}>
      <Button kind="quiet" className={styles.fold} aria-expanded={isShown} onClick={() => setOpen(!isShown)}>
        {isShown ? <ChevronDown size={14} aria-hidden="true" /> : <ChevronRight size={14} aria-hidden="true" />}
        <span dir="auto">
          {isShown ? `${entries.length} changes` : sentence && <SentenceView sentence={sentence} isPlain={true} />}
          {!isShown && ` and ${others} more ${others === 1 ? 'change' : 'changes'}`}
        </span>
      </Button>
      {isShown && (
        <div className={styles.folded}>
          {entries.map((entry) => (
            <div
              key={entry.key}
              id={entry.event.id}
              tabIndex={-1}
              className={entry.event.id === target ? 'entry target' : 'entry'}
            >
              <EventNote entry={entry} actions={actions} />
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
