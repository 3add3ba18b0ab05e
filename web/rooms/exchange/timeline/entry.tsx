import { FileText, GitFork, MessageSquareDashed, RotateCcw, ShieldCheck } from 'lucide-react';
import { memo } from 'react';
import type { EntryItem, ExchangeStatus, RestartItem, TermsVersionItem } from '../../../../src/client/index.ts';
import { BroughtNoteAt } from '../../../transfer/origin-notes.tsx';
import { Glyph } from '../../../ui/icon.tsx';
import { hueOf } from '../../../ui/people/hue.ts';
import { Face, Name } from '../../../ui/people/participant.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { Markdown } from '../../../ui/text/markdown.tsx';
import { ThreadLink } from '../../../ui/thread-link.tsx';
import { Time } from '../../../ui/time.tsx';
import { AttachmentList } from '../../attachments/attachment-list.tsx';
import { TextActions } from '../../text-actions.tsx';
import type { LiveExchange } from '../live-exchange.ts';
import { exchangePath } from '../places.ts';
import { describeEffect, formatTermNames } from '../terms/labels.ts';
import styles from './entry.module.css';
import { EvidenceList } from './evidence.tsx';

/** The plain words for the marks of entries, which exports and the terminal keep (X2). */
const TYPE_LABELS: Readonly<Record<EntryItem['type'], string>> = {
  injection: 'From outside',
  observer: 'Observer',
  restart: 'Restart request',
  policy: 'Policy',
  audit: 'Audit',
  auditor_role: 'Auditor’s specification',
  observer_role: 'Observer’s role',
};
const TYPE_ICONS = { injection: MessageSquareDashed, restart: RotateCcw, policy: ShieldCheck } as const;
const DECIDED = 'On the request for a restart: ';

interface StoryEntryProps {
  readonly exchange: LiveExchange;
  readonly entry: EntryItem;
  readonly restart: RestartItem | undefined;
  /** The audit that it answers. */
  readonly answers: number | undefined;
}

/** What was said between rounds: your words in your hue, what came from outside, requests and what a policy did (X2). */
export const StoryEntry = memo(function StoryEntry({ exchange, entry, restart, answers }: StoryEntryProps) {
  const { type, by, ts } = entry;
  const isObserver = type === 'observer';
  const hasDecided = isObserver && entry.text.startsWith(DECIDED);
  const text = hasDecided ? entry.text.slice(DECIDED.length) : entry.text;
  const did = hasDecided ? 'decided' : answers === undefined ? 'said' : `answered audit ${answers}`;
  const link = exchangePath(exchange.id, entry.event);
  return (
    <article
      className={isObserver ? `${styles.entry} ${styles.reply}` : styles.entry}
      data-hue={isObserver ? hueOf(by) : undefined}
      aria-label={`${TYPE_LABELS[type]}, after round ${entry.round}`}
      tabIndex={-1}
      data-stop
      data-place={link}
    >
      <header className={styles.head}>
        {isObserver ? <Face id={by} size="medium" /> : <EntryIcon type={type} />}
        <b>{isObserver ? <Speaker by={by} me={exchange.me} did={did} /> : TYPE_LABELS[type]}</b>
        <span>
          {type === 'injection' && (
            <>
              <Name id={by} />,{' '}
            </>
          )}
          <Time ts={ts} />
        </span>
        <span className={styles.actions}>
          <TextActions link={link} text={entry.text} />
        </span>
      </header>
      {restart ? (
        <>
          <EvidenceList exchange={exchange} restart={restart} />
          {restart.answer && <RestartAnswerLine answer={restart.answer} />}
        </>
      ) : (
        <div className={styles.text}>
          <Markdown text={text} />
          <AttachmentList attachments={entry.attachments} />
        </div>
      )}
      <BroughtNoteAt thread={exchange.id} at={entry.event} />
    </article>
  );
});

function EntryIcon({ type }: { readonly type: EntryItem['type'] }) {
  return <Glyph icon={TYPE_ICONS[type as keyof typeof TYPE_ICONS] ?? FileText} />;
}

function Speaker({ by, me, did }: { readonly by: string; readonly me: string; readonly did: string }) {
  if (by === me) return `You ${did}`;
  return (
    <>
      <Name id={by} /> {did}
    </>
  );
}

const DECISION_LABELS: Readonly<Record<NonNullable<RestartItem['answer']>['decision'], string>> = {
  branch: 'continues in a branch',
  rollback: 'rolled back',
  amend: 'terms amended',
  acknowledge: 'acknowledged, continues unchanged',
  halt: 'halted',
};

function RestartAnswerLine({ answer }: { readonly answer: NonNullable<RestartItem['answer']> }) {
  return (
    <p className={styles.note}>
      {answer.auto ? (
        <>
          By the policy that <Name id={answer.auto.set_by} /> set
        </>
      ) : (
        <Name id={answer.by} />
      )}
      : {DECISION_LABELS[answer.decision]}
      {answer.round !== undefined && ` to round ${answer.round}`}
      {answer.thread && (
        <>
          , in <ThreadLink id={answer.thread} title="its branch" />
        </>
      )}
      . <q dir="auto">{escapeBidi(answer.reason)}</q>
    </p>
  );
}

/** A change of the terms, at the round that announced it. */
export const TermsChange = memo(function TermsChange({
  thread,
  version,
}: {
  readonly thread: string;
  readonly version: TermsVersionItem;
}) {
  const link = exchangePath(thread, `terms.${version.version}`);
  return (
    <article
      className={styles.change}
      aria-label={`Terms, version ${version.version}`}
      tabIndex={-1}
      data-stop
      data-place={link}
    >
      <Glyph icon={FileText} />
      <p>
        <a href={link} data-in-page>
          Terms, version {version.version}
        </a>
        : {formatTermNames(version.changed)}, {describeEffect(version)}
        {version.reason && (
          <>
            . <q dir="auto">{escapeBidi(version.reason)}</q>
          </>
        )}
      </p>
    </article>
  );
});

const BRANCH_START_LABELS = {
  branch: 'This branch starts here',
  rollback: 'This branch was rolled back to here',
  control: 'This control branch starts here',
} as const;

export function BranchStart({ branch }: { readonly branch: NonNullable<ExchangeStatus['branch']> }) {
  return (
    <article className={styles.change} aria-label="Where this branch starts" tabIndex={-1} data-stop>
      <Glyph icon={GitFork} />
      <p>
        {BRANCH_START_LABELS[branch.kind]}, from round {branch.from.round} of{' '}
        <ThreadLink id={branch.from.thread} title="another exchange" />
        {branch.reason && (
          <>
            . <q dir="auto">{escapeBidi(branch.reason)}</q>
          </>
        )}
      </p>
    </article>
  );
}
