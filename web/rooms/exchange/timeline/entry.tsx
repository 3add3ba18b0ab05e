import { memo } from 'react';
import type { EntryItem, ExchangeStatus, RestartItem, TermsVersionItem } from '../../../../src/client/index.ts';
import { BroughtNoteAt } from '../../../transfer/origin-notes.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { Markdown } from '../../../ui/text/markdown.tsx';
import { ThreadLink } from '../../../ui/thread-link.tsx';
import { Time } from '../../../ui/time.tsx';
import { exchangePath } from '../places.ts';
import { formatTermNames } from '../terms/labels.ts';
import { EvidenceList } from './evidence.tsx';

/** An entry between rounds, with its mark (X2). */
export const TimelineEntry = memo(function TimelineEntry({
  thread,
  entry,
  restart,
}: {
  readonly thread: string;
  readonly entry: EntryItem;
  readonly restart: RestartItem | undefined;
}) {
  const { marked, text, by, ts, type } = entry;
  const mark = marked.slice(0, marked.length - text.length).trim();
  return (
    <article
      className={`said said-${type}`}
      aria-label={`${mark} after round ${entry.round}`}
      tabIndex={-1}
      data-stop
      data-place={exchangePath(thread, entry.event)}
    >
      <p className="said-head">
        <code className="mark">{mark}</code>{' '}
        <span className="soft">
          {type !== 'restart' && type !== 'policy' && `${by}, `}
          <Time ts={ts} />
        </span>
      </p>
      {restart ? (
        <>
          <EvidenceList thread={thread} restart={restart} />
          {restart.answer && <RestartAnswerLine answer={restart.answer} />}
        </>
      ) : (
        <div className="said-text">
          <Markdown text={text} />
        </div>
      )}
      <BroughtNoteAt thread={thread} at={entry.event} />
    </article>
  );
});

const DECISION_LABELS: Readonly<Record<NonNullable<RestartItem['answer']>['decision'], string>> = {
  branch: 'goes on in a branch',
  rollback: 'rolled back',
  amend: 'terms amended',
  acknowledge: 'acknowledged, goes on unchanged',
  halt: 'halted',
};

function RestartAnswerLine({ answer }: { readonly answer: NonNullable<RestartItem['answer']> }) {
  return (
    <p className="soft">
      {answer.auto ? `By the policy that ${answer.auto.set_by} had set` : `By ${answer.by}`}:{' '}
      {DECISION_LABELS[answer.decision]}
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
  return (
    <article
      className="said noted"
      aria-label={`Terms, version ${version.version}`}
      tabIndex={-1}
      data-stop
      data-place={exchangePath(thread, `terms.${version.version}`)}
    >
      <p className="soft">
        <a href={exchangePath(thread, `terms.${version.version}`)} data-in-page>
          Terms, version {version.version}
        </a>
        : {formatTermNames(version.changed)}; {describeEffect(version)}
        {version.reason && (
          <>
            . <q dir="auto">{escapeBidi(version.reason)}</q>
          </>
        )}
      </p>
    </article>
  );
});

export function describeEffect({ announced, effective }: Pick<TermsVersionItem, 'announced' | 'effective'>): string {
  if (announced === effective) return effective === 1 ? 'from the beginning' : `hold from round ${effective} on`;
  return `announced in round ${announced}, hold from round ${effective} on`;
}

const BRANCH_START_LABELS = {
  branch: 'This branch began here',
  rollback: 'It went back to here',
  control: 'This control branch began here',
} as const;

export function BranchStart({ branch }: { readonly branch: NonNullable<ExchangeStatus['branch']> }) {
  return (
    <article className="said noted" aria-label="Where this branch began" tabIndex={-1} data-stop>
      <p className="soft">
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
