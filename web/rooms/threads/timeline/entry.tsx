import { memo, Suspense, useState } from 'react';
import type { WireEvent } from '../../../../src/client/index.ts';
import { authorLabelOf } from '../../../../src/core/events/event.ts';
import { threadContent } from '../../../../src/core/threads/content.ts';
import { roleOfTask } from '../../../../src/core/threads/posts/tasks.ts';
import { Actions } from '../../../shell/actions.ts';
import { conversationPath } from '../../../shell/address.ts';
import { BroughtNote, OpenedThreads } from '../../../transfer/origin-notes.tsx';
import { ActionButton } from '../../../ui/action-button.tsx';
import { lazyWithRetry } from '../../../ui/lazy.ts';
import { Person } from '../../../ui/person.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { firstLine } from '../../../ui/text/first-line.ts';
import { LongText } from '../../../ui/text/long-text.tsx';
import { ThreadLink } from '../../../ui/thread-link.tsx';
import { Time } from '../../../ui/time.tsx';
import type { OpenThread } from '../data/thread.ts';
import { SentenceView } from '../wording/sentence-view.tsx';
import { eventSentence, sentenceText } from '../wording/sentences.ts';
import { usageText, wakeClosureOf } from '../wording/wake.ts';
import { AuditText, auditFactsOf } from './audit-text.tsx';
import { eventText, type TaskState, type TimelineEntry, taskOutcome } from './entries.ts';
import { EntryButtons, hasDelivery, isOpenTask } from './entry-actions.tsx';

const DeliveryList = lazyWithRetry(async () => (await import('./delivery-list.tsx')).DeliveryList);

export interface EntryActions {
  reply(event: WireEvent): void;
  /** Forks at an event, or at the end. */
  fork(event?: WireEvent): void;
  finish(task: WireEvent, status: 'done' | 'cancelled'): void;
  /** Requests a summary of what is new. */
  catchUp(): void;
  /** Wakes a participant again. */
  prod(participant: string): void;
}

interface EntryProps {
  readonly entry: TimelineEntry;
  readonly thread: OpenThread;
  readonly isCurrent: boolean;
  readonly isTarget: boolean;
  readonly actions: EntryActions;
}

/** One row of the timeline. */
export const EntryView = memo(function EntryView({ entry, thread, isCurrent, isTarget, actions }: EntryProps) {
  const { event, kind } = entry;
  const [isHovered, setHovered] = useState(false);
  const classNames = [
    'entry',
    kind.replace('.', '-'),
    entry.isContinuation && 'goes-on',
    entry.isReply && 'reply',
    isTarget && 'target',
  ];
  return (
    <article
      id={event.id}
      data-entry={entry.key}
      data-place={conversationPath(thread.id, event.id)}
      className={classNames.filter(Boolean).join(' ')}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={entryLabel(entry)}
      onMouseMove={() => setHovered(true)}
      onMouseLeave={() => setHovered(false)}
    >
      {entry.isFirstNew && (
        <p className="new-here">
          New since you last looked <ActionButton onClick={actions.catchUp}>Catch me up</ActionButton>
        </p>
      )}
      {kind === 'note' ? (
        <EventNote entry={entry} actions={actions} />
      ) : (
        <EntryBody entry={entry} thread={thread} isCurrent={isCurrent} isHovered={isHovered} actions={actions} />
      )}
    </article>
  );
});

function EventNote({ entry: { event, draft }, actions }: Pick<EntryProps, 'entry' | 'actions'>) {
  const [isOpen, setOpen] = useState(false);
  const sentence = eventSentence(event);
  const closure = wakeClosureOf(event);
  const usage = usageText(event);
  return (
    <>
      <p className={closure?.outcome === 'failed' ? 'note failed' : 'note'} dir="auto">
        {sentence && <SentenceView sentence={sentence} />} <Time ts={event.ts} />
        {closure?.outcome === 'failed' && (
          <ActionButton onClick={() => actions.prod(closure.participant)}>Ask again</ActionButton>
        )}
        {draft && (
          <ActionButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Fold' : 'Read'}
          </ActionButton>
        )}
        {usage && <span className="used"> · {usage}</span>}
      </p>
      {draft && isOpen && (
        <div className="said">
          <LongText text={eventText(draft)} />
        </div>
      )}
    </>
  );
}

interface EntryBodyProps extends Omit<EntryProps, 'isTarget'> {
  /** The mouse is over the entry. */
  readonly isHovered: boolean;
}

function EntryBody({ entry, thread, isCurrent, isHovered, actions }: EntryBodyProps) {
  const { event, kind, quoted, task } = entry;
  const [isOpen, setOpen] = useState(false);
  const [isDeliveryOpen, setDeliveryOpen] = useState(false);
  const audit = auditFactsOf(event);
  return (
    <>
      {isCurrent && (
        <Actions
          label="This thread"
          actions={[
            { name: 'Fork at what is marked', act: () => actions.fork(event) },
            { name: 'Who heard what is marked', act: () => setDeliveryOpen(!isDeliveryOpen), when: hasDelivery(entry) },
            { name: 'Mark the task done', act: () => actions.finish(event, 'done'), when: isOpenTask(entry) },
            { name: 'Cancel the task', act: () => actions.finish(event, 'cancelled'), when: isOpenTask(entry) },
          ]}
        />
      )}
      <p className="by">
        <Person id={authorLabelOf(event)} />
        <Recipients to={event.to} />
        {entry.usageEvent && wakeClosureOf(entry.usageEvent)?.usage?.small === true && (
          <span className="to" title="Written by a small model">
            small
          </span>
        )}
      </p>
      <div className="said">
        {entry.isReply && !audit && <QuoteLink event={quoted} id={event.meta.reply_to ?? ''} thread={thread.id} />}
        {kind === 'task' && task && <TaskLine task={task} role={roleOf(event)} />}
        {kind === 'result' && <p className="word">{resultLabel(event)}</p>}
        {kind === 'side.opened' && <SideOpened event={event} />}
        {kind === 'side.returned' && <SideReturned event={event} />}
        {kind === 'side.closed' && <p className="word">closed this side channel with the summary</p>}
        {entry.isFolded && !isOpen ? (
          <ActionButton onClick={() => setOpen(true)}>
            Folded while {authorLabelOf(event)} is softly muted. Show
          </ActionButton>
        ) : (
          kind !== 'side.opened' &&
          (audit ? (
            <AuditText thread={event.thread} text={eventText(event)} facts={audit} />
          ) : (
            <LongText text={eventText(event)} />
          ))
        )}
        <AcceptedNote event={event} />
        <BroughtNote origin={event.meta.origin} />
        <OpenedThreads link={conversationPath(thread.id, event.id)} />
        {isDeliveryOpen && (
          <Suspense fallback={null}>
            <DeliveryList event={event} thread={thread} usageEvent={entry.usageEvent} />
          </Suspense>
        )}
      </div>
      <p className="when">
        {(isCurrent || isHovered) && (
          <EntryButtons
            entry={entry}
            thread={thread}
            actions={actions}
            isDeliveryOpen={isDeliveryOpen}
            onToggleDelivery={() => setDeliveryOpen(!isDeliveryOpen)}
          />
        )}
        <a href={conversationPath(thread.id, event.id)} data-in-page tabIndex={isCurrent ? 0 : -1}>
          <Time ts={event.ts} />
          <span className="unseen"> Link to this</span>
        </a>
      </p>
    </>
  );
}

/** Who decided to post a draft (T19). */
function AcceptedNote({ event: { meta } }: { readonly event: WireEvent }) {
  const { accepted_by, draft } = meta;
  return accepted_by ? (
    <p className="word small">
      draft {draft}, posted by {accepted_by}
    </p>
  ) : null;
}

function Recipients({ to }: Pick<WireEvent, 'to'>) {
  if (to === 'all') return null;
  return <span className="to"> to {[to].flat().join(', ')}</span>;
}

function QuoteLink({
  event,
  id,
  thread,
}: {
  readonly event: WireEvent | undefined;
  readonly id: string;
  readonly thread: string;
}) {
  // An invitation wakes without a message: there is nothing to quote.
  if (event && eventText(event) === '') return null;
  return (
    <a className="quoted" href={conversationPath(thread, id)} data-in-page dir="auto">
      {event ? `${authorLabelOf(event)}: ${firstLine(eventText(event))}` : 'an earlier message'}
    </a>
  );
}

function TaskLine({ task, role }: { readonly task: TaskState; readonly role: string | undefined }) {
  const by = task.by ? ` by ${task.by}` : '';
  return (
    <p className="word">
      task{role ? ` for the role ${escapeBidi(role)}` : ''}, {task.state}
      {by}
    </p>
  );
}

function roleOf(event: WireEvent): string | undefined {
  const task = threadContent(event, 'task');
  return task && roleOfTask(task);
}

function resultLabel(event: WireEvent): string {
  const outcome = taskOutcome(event);
  return outcome === 'claimed'
    ? 'claimed the task'
    : outcome === 'cancelled'
      ? 'cancelled the task'
      : `task ${outcome}`;
}

function SideOpened({ event }: { readonly event: WireEvent }) {
  const opened = threadContent(event, 'side.opened');
  if (!opened) return null;
  const { thread, question, members } = opened;
  return (
    <p className="aside" dir="auto">
      asked aside, with {members.join(', ')}: <ThreadLink id={thread} title={question} />
    </p>
  );
}

function SideReturned({ event }: { readonly event: WireEvent }) {
  const returned = threadContent(event, 'side.returned');
  if (!returned) return null;
  return (
    <p className="word">
      closed the side channel <ThreadLink id={returned.thread} title="beside" />
    </p>
  );
}

function entryLabel({ event, kind, task }: TimelineEntry): string {
  const sentence = kind === 'note' ? eventSentence(event) : undefined;
  if (sentence) return escapeBidi(sentenceText(sentence));
  const what = kind === 'task' ? `task, ${task?.state}` : kind === 'result' ? resultLabel(event) : '';
  return escapeBidi([authorLabelOf(event), what, firstLine(eventText(event))].filter(Boolean).join(': '));
}
