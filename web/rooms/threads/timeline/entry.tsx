import { memo, Suspense, useState } from 'react';
import type { WireEvent } from '../../../../src/client/index.ts';
import { authorShown } from '../../../../src/core/events/event.ts';
import { Actions } from '../../../shell/actions.ts';
import { pathOf } from '../../../shell/address.ts';
import { BroughtFrom, CameOf } from '../../../transfer/origin-notes.tsx';
import { lazily } from '../../../ui/lazy.ts';
import { Person } from '../../../ui/person.tsx';
import { firstLine } from '../../../ui/text/first-line.ts';
import { Text } from '../../../ui/text/long-text.tsx';
import { visible } from '../../../ui/text/visible.ts';
import { ThreadLink } from '../../../ui/thread-link.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Thread } from '../data/thread.ts';
import { SentenceView } from '../wording/sentence-view.tsx';
import { sentenceOf, spoken } from '../wording/sentences.ts';
import { closedOf, usageWords } from '../wording/wake.ts';
import { AuditWords, auditOf } from './audit-text.tsx';
import { type Entry, outcomeOf, type TaskState, textOf } from './entries.ts';
import { Acts, isHeard, isOpenTask } from './entry-actions.tsx';

const Explained = lazily(async () => (await import('./delivery-list.tsx')).Explained);

export interface EntryActions {
  reply(event: WireEvent): void;
  /** At an event, or at the end. */
  fork(event?: WireEvent): void;
  finish(task: WireEvent, status: 'done' | 'cancelled'): void;
  /** Has what is new summed up. */
  catchUp(): void;
  /** Wakes somebody once more. */
  prod(participant: string): void;
}

interface EntryProps {
  readonly entry: Entry;
  readonly thread: Thread;
  readonly isCurrent: boolean;
  readonly isTarget: boolean;
  readonly actions: EntryActions;
}

/** One row of the timeline. */
export const EntryView = memo(function EntryView({ entry, thread, isCurrent, isTarget, actions }: EntryProps) {
  const { event, kind } = entry;
  const [isUnder, setUnder] = useState(false);
  const names = [
    'entry',
    kind.replace('.', '-'),
    entry.goesOn && 'goes-on',
    entry.isReply && 'reply',
    isTarget && 'target',
  ];
  return (
    <article
      id={event.id}
      data-entry={entry.key}
      data-place={pathOf(thread.id, event.id)}
      className={names.filter(Boolean).join(' ')}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={labelOf(entry)}
      onMouseMove={() => setUnder(true)}
      onMouseLeave={() => setUnder(false)}
    >
      {entry.isFirstNew && (
        <p className="new-here">
          New since you last looked{' '}
          <button type="button" className="act" onClick={actions.catchUp}>
            Catch me up
          </button>
        </p>
      )}
      {kind === 'note' ? (
        <Note entry={entry} actions={actions} />
      ) : (
        <Said entry={entry} thread={thread} isCurrent={isCurrent} isUnder={isUnder} actions={actions} />
      )}
    </article>
  );
});

function Note({ entry: { event, drafted }, actions }: Pick<EntryProps, 'entry' | 'actions'>) {
  const [isOpen, setOpen] = useState(false);
  const sentence = sentenceOf(event);
  const closed = closedOf(event);
  const used = usageWords(event);
  return (
    <>
      <p className={closed?.outcome === 'failed' ? 'note failed' : 'note'} dir="auto">
        {sentence && <SentenceView sentence={sentence} />} <Time ts={event.ts} />
        {closed?.outcome === 'failed' && (
          <button type="button" className="act" onClick={() => actions.prod(closed.participant)}>
            Ask again
          </button>
        )}
        {drafted && (
          <button type="button" className="act" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Fold' : 'Read'}
          </button>
        )}
        {used && <span className="used"> · {used}</span>}
      </p>
      {drafted && isOpen && (
        <div className="said">
          <Text text={textOf(drafted)} />
        </div>
      )}
    </>
  );
}

interface SaidProps extends Omit<EntryProps, 'isTarget'> {
  /** The mouse is over it. */
  readonly isUnder: boolean;
}

function Said({ entry, thread, isCurrent, isUnder, actions }: SaidProps) {
  const { event, kind, quoted, task } = entry;
  const [isOpen, setOpen] = useState(false);
  const [isExplained, setExplained] = useState(false);
  const audit = auditOf(event);
  return (
    <>
      {isCurrent && (
        <Actions
          where="This thread"
          actions={[
            { name: 'Fork at what is marked', act: () => actions.fork(event) },
            { name: 'Who heard what is marked', act: () => setExplained(!isExplained), when: isHeard(entry) },
            { name: 'Mark the task done', act: () => actions.finish(event, 'done'), when: isOpenTask(entry) },
            { name: 'Cancel the task', act: () => actions.finish(event, 'cancelled'), when: isOpenTask(entry) },
          ]}
        />
      )}
      <p className="by">
        <Person id={authorShown(event)} />
        <Addressed to={event.to} />
        {entry.used && closedOf(entry.used)?.usage?.small && (
          <span className="to" title="Written by a small model">
            small
          </span>
        )}
      </p>
      <div className="said">
        {entry.isReply && !audit && <Quoted event={quoted} id={event.meta.reply_to ?? ''} thread={thread.id} />}
        {kind === 'task' && task && <TaskWords task={task} role={(event.content as { role?: string }).role} />}
        {kind === 'result' && <p className="word">{resultWords(event)}</p>}
        {kind === 'side.opened' && <SideOpened event={event} />}
        {kind === 'side.returned' && <SideReturned event={event} />}
        {kind === 'side.closed' && <p className="word">closed this side channel with the summary</p>}
        {entry.isFolded && !isOpen ? (
          <button type="button" className="act" onClick={() => setOpen(true)}>
            Folded while {authorShown(event)} is softly muted. Show
          </button>
        ) : (
          kind !== 'side.opened' &&
          (audit ? (
            <AuditWords thread={event.thread} text={textOf(event)} facts={audit} />
          ) : (
            <Text text={textOf(event)} />
          ))
        )}
        <Accepted event={event} />
        <BroughtFrom origin={event.meta.origin} />
        <CameOf link={pathOf(thread.id, event.id)} />
        {isExplained && (
          <Suspense fallback={null}>
            <Explained event={event} thread={thread} used={entry.used} />
          </Suspense>
        )}
      </div>
      <p className="when">
        {(isCurrent || isUnder) && (
          <Acts
            entry={entry}
            thread={thread}
            actions={actions}
            isExplained={isExplained}
            explain={() => setExplained(!isExplained)}
          />
        )}
        <a href={pathOf(thread.id, event.id)} data-in-page tabIndex={isCurrent ? 0 : -1}>
          <Time ts={event.ts} />
          <span className="unseen"> Link to this</span>
        </a>
      </p>
    </>
  );
}

/** Whose decision it was that a draft was posted (T19). */
function Accepted({ event: { meta } }: { readonly event: WireEvent }) {
  const { accepted_by, draft } = meta as { accepted_by?: string; draft?: number };
  return accepted_by ? (
    <p className="word small">
      draft {draft}, posted by {accepted_by}
    </p>
  ) : null;
}

function Addressed({ to }: Pick<WireEvent, 'to'>) {
  if (to === 'all') return null;
  return <span className="to"> to {[to].flat().join(', ')}</span>;
}

function Quoted({
  event,
  id,
  thread,
}: {
  readonly event: WireEvent | undefined;
  readonly id: string;
  readonly thread: string;
}) {
  // An invitation wakes without a word: there is nothing to quote.
  if (event && textOf(event) === '') return null;
  return (
    <a className="quoted" href={pathOf(thread, id)} data-in-page dir="auto">
      {event ? `${authorShown(event)}: ${firstLine(textOf(event))}` : 'an earlier message'}
    </a>
  );
}

function TaskWords({ task, role }: { readonly task: TaskState; readonly role: string | undefined }) {
  const by = task.by ? ` by ${task.by}` : '';
  return (
    <p className="word">
      task{role ? ` for the role ${visible(role)}` : ''}, {task.state}
      {by}
    </p>
  );
}

function resultWords(event: WireEvent): string {
  const outcome = outcomeOf(event);
  return outcome === 'claimed'
    ? 'claimed the task'
    : outcome === 'cancelled'
      ? 'cancelled the task'
      : `task ${outcome}`;
}

function SideOpened({ event }: { readonly event: WireEvent }) {
  const { thread, question, members } = event.content as { thread: string; question: string; members: string[] };
  return (
    <p className="aside" dir="auto">
      asked aside, with {members.join(', ')}: <ThreadLink id={thread} title={question} />
    </p>
  );
}

function SideReturned({ event }: { readonly event: WireEvent }) {
  const { thread } = event.content as { thread: string };
  return (
    <p className="word">
      closed the side channel <ThreadLink id={thread} title="beside" />
    </p>
  );
}

function labelOf({ event, kind, task }: Entry): string {
  const sentence = kind === 'note' ? sentenceOf(event) : undefined;
  if (sentence) return visible(spoken(sentence));
  const what = kind === 'task' ? `task, ${task?.state}` : kind === 'result' ? resultWords(event) : '';
  return visible([authorShown(event), what, firstLine(textOf(event))].filter(Boolean).join(': '));
}
