import { CornerUpLeft } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { WireEvent } from '../../../../src/client/index.ts';
import { authorLabelOf } from '../../../../src/core/events/event.ts';
import { threadContent } from '../../../../src/core/threads/content.ts';
import { roleOfTask } from '../../../../src/core/threads/posts/tasks.ts';
import { Actions } from '../../../shell/actions.ts';
import { conversationPath } from '../../../shell/address.ts';
import { BroughtNote, OpenedThreads } from '../../../transfer/origin-notes.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Glyph } from '../../../ui/icon.tsx';
import { lazyWithRetry } from '../../../ui/lazy.ts';
import { Tag } from '../../../ui/status/badge.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { firstLine } from '../../../ui/text/first-line.ts';
import { LongText } from '../../../ui/text/long-text.tsx';
import { ThreadLink } from '../../../ui/thread-link.tsx';
import { AttachmentList } from '../../attachments/attachment-list.tsx';
import { isEditable } from '../data/own-edit.ts';
import type { OpenThread } from '../data/thread.ts';
import { wakeClosureOf } from '../wording/wake.ts';
import { AuditText, auditFactsOf } from './audit-text.tsx';
import { AuthorName, RowFace } from './author.tsx';
import { ClockTime } from './clock-time.tsx';
import { eventText, type TaskState, type TimelineEntry, taskOutcome } from './entries.ts';
import type { EntryActions } from './entry.tsx';
import styles from './message.module.css';
import { MessageEditor } from './message-editor.tsx';
import { EntryToolbar, hasDelivery, isOpenTask } from './toolbar.tsx';

const VersionsDialog = lazyWithRetry(async () => (await import('../dialogs/versions.tsx')).VersionsDialog);
const DeliveryList = lazyWithRetry(async () => (await import('./delivery-list.tsx')).DeliveryList);

interface EntryBodyProps {
  readonly entry: TimelineEntry;
  readonly thread: OpenThread;
  readonly isCurrent: boolean;
  /** The mouse is over the entry. */
  readonly isHovered: boolean;
  readonly isEditing: boolean;
  readonly actions: EntryActions;
}

/** Who, when, and what was written. */
export function EntryBody({ entry, thread, isCurrent, isHovered, isEditing, actions }: EntryBodyProps) {
  const { event, kind, quoted, task } = entry;
  const [isOpen, setOpen] = useState(false);
  const [isDeliveryOpen, setDeliveryOpen] = useState(false);
  const [hasVersionsOpen, setVersionsOpen] = useState(false);
  const audit = auditFactsOf(event);
  const when = (
    <a className={styles.when} href={conversationPath(thread.id, event.id)} data-in-page tabIndex={isCurrent ? 0 : -1}>
      <ClockTime ts={event.ts} />
      <span className="unseen"> Link to this</span>
    </a>
  );
  const edited = event.edited && (
    <button type="button" className={styles.edited} onClick={() => setVersionsOpen(true)}>
      edited <ClockTime ts={event.edited.ts} />
    </button>
  );
  return (
    <>
      {isCurrent && (
        <Actions
          label="This thread"
          actions={[
            {
              name: 'Edit the selected message',
              keys: ['e'],
              act: () => actions.edit(event),
              when: isEditable(event, thread.me),
            },
            { name: 'Fork at the selected message', act: () => actions.fork(event) },
            {
              name: 'Who heard the selected message',
              act: () => setDeliveryOpen(!isDeliveryOpen),
              when: hasDelivery(entry),
            },
            { name: 'Mark the task done', act: () => actions.finish(event, 'done'), when: isOpenTask(entry) },
            { name: 'Cancel the task', act: () => actions.finish(event, 'cancelled'), when: isOpenTask(entry) },
          ]}
        />
      )}
      {entry.isContinuation ? when : <RowFace id={event.from} />}
      <div className={styles.content}>
        {!entry.isContinuation && (
          <div className={styles.by}>
            <AuthorName event={event} />
            {event.to !== 'all' && <span className={styles.fact}>to {[event.to].flat().join(', ')}</span>}
            <WriterModel entry={entry} />
            {when}
            {edited}
          </div>
        )}
        {entry.isReply && !audit && !entry.isBelowQuoted && (
          <QuoteLink
            event={quoted}
            id={event.meta.reply_to ?? ''}
            thread={thread.id}
            isAnotherReply={entry.isAnotherReply}
          />
        )}
        {kind === 'task' && task && <TaskLine task={task} role={roleOf(event)} />}
        {kind === 'result' && <p className={styles.word}>{resultLabel(event)}</p>}
        {kind === 'side.opened' && <SideOpened event={event} />}
        {kind === 'side.returned' && <SideReturned event={event} />}
        {kind === 'side.closed' && <p className={styles.word}>closed this side channel with the summary</p>}
        {entry.isFolded && !isOpen ? (
          <Button kind="quiet" className={styles.fold} onClick={() => setOpen(true)}>
            {authorLabelOf(event)} is muted and its messages are folded. Show this one
          </Button>
        ) : (
          kind !== 'side.opened' && (
            <div className={`${styles.text} said`}>
              {isEditing ? (
                <MessageEditor event={event} thread={thread} onClose={actions.stopEdit} />
              ) : audit ? (
                <AuditText thread={event.thread} text={eventText(event)} facts={audit} />
              ) : (
                <LongText text={eventText(event)} isOpen={entry.wasWatched} />
              )}
              <AttachmentList attachments={event.meta.attachments} />
            </div>
          )
        )}
        {entry.isContinuation && edited}
        <AcceptedNote event={event} />
        <BroughtNote origin={event.meta.origin} />
        <OpenedThreads link={conversationPath(thread.id, event.id)} />
        {isDeliveryOpen && (
          <Suspense fallback={null}>
            <DeliveryList event={event} thread={thread} usageEvent={entry.usageEvent} />
          </Suspense>
        )}
      </div>
      {hasVersionsOpen && (
        <Suspense fallback={null}>
          <VersionsDialog event={event} thread={thread} onClose={() => setVersionsOpen(false)} />
        </Suspense>
      )}
      {(isCurrent || isHovered) && !isEditing && (
        <EntryToolbar
          entry={entry}
          thread={thread}
          actions={actions}
          isDeliveryOpen={isDeliveryOpen}
          onToggleDelivery={() => setDeliveryOpen(!isDeliveryOpen)}
        />
      )}
    </>
  );
}

/** The model that wrote it; small ones are labelled wherever they speak (M3). */
function WriterModel({ entry: { usageEvent, event } }: { readonly entry: TimelineEntry }) {
  const usage = usageEvent && wakeClosureOf(usageEvent)?.usage;
  if (!usage) return null;
  const model = typeof usage.model === 'string' && usage.model !== event.from ? usage.model : undefined;
  return (
    <>
      {model && <span className={styles.fact}>{escapeBidi(model)}</span>}
      {usage.small === true && <Tag>small</Tag>}
    </>
  );
}

/** Who decided to post a draft (T19). */
function AcceptedNote({ event: { meta } }: { readonly event: WireEvent }) {
  const { accepted_by, draft } = meta;
  return accepted_by ? (
    <p className={styles.small}>
      draft {draft}, posted by {accepted_by}
    </p>
  ) : null;
}

interface QuoteLinkProps {
  readonly event: WireEvent | undefined;
  readonly id: string;
  readonly thread: string;
  readonly isAnotherReply: boolean;
}

/** What it replies to, in a line. */
export function QuoteLink({ event, id, thread, isAnotherReply }: QuoteLinkProps) {
  // An invitation wakes without a message: there is nothing to quote.
  if (event && eventText(event) === '') return null;
  return (
    <a className={styles.quote} href={conversationPath(thread, id)} data-in-page dir="auto">
      <Glyph icon={CornerUpLeft} size={14} />
      <span>
        {isAnotherReply && 'Another reply to '}
        {event ? `${authorLabelOf(event)}: ${firstLine(eventText(event))}` : 'an earlier message'}
      </span>
    </a>
  );
}

function TaskLine({ task, role }: { readonly task: TaskState; readonly role: string | undefined }) {
  const by = task.by ? ` by ${task.by}` : '';
  const tone = task.state === 'done' ? 'good' : task.state === 'failed' ? 'bad' : 'plain';
  return (
    <p className={styles.word}>
      <Tag tone={tone}>
        task{role ? ` for the role ${escapeBidi(role)}` : ''}, {task.state}
        {by}
      </Tag>
    </p>
  );
}

function roleOf(event: WireEvent): string | undefined {
  const task = threadContent(event, 'task');
  return task && roleOfTask(task);
}

export function resultLabel(event: WireEvent): string {
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
    <p className={styles.text} dir="auto">
      opened a side channel with {members.join(', ')}: <ThreadLink id={thread} title={question} />
    </p>
  );
}

function SideReturned({ event }: { readonly event: WireEvent }) {
  const returned = threadContent(event, 'side.returned');
  if (!returned) return null;
  return (
    <p className={styles.word}>
      closed the side channel <ThreadLink id={returned.thread} title="beside" />
    </p>
  );
}
