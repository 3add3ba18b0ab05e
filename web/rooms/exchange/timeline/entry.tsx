import { memo } from 'react';
import { BroughtHere } from '../../../transfer/origin-notes.tsx';
import { visible } from '../../../ui/text/visible.ts';
import { ThreadLink } from '../../../ui/thread-link.tsx';
import { Time } from '../../../ui/time.tsx';
import { pathIn } from '../places.ts';
import type { Entry, Restart, Status, Version } from '../queries.ts';
import { termNames } from '../terms/labels.ts';
import { Evidence } from './evidence.tsx';

/** What was said between the rounds, behind its mark (X2). */
export const Said = memo(function Said({
  thread,
  entry,
  restart,
}: {
  readonly thread: string;
  readonly entry: Entry;
  readonly restart: Restart | undefined;
}) {
  const { marked, text, by, ts, type } = entry;
  const mark = marked.slice(0, marked.length - text.length).trim();
  return (
    <article
      className={`said said-${type}`}
      aria-label={`${mark} after round ${entry.round}`}
      tabIndex={-1}
      data-stop
      data-place={pathIn(thread, entry.event)}
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
          <Evidence thread={thread} evidence={restart.evidence} />
          {restart.answer && <Answered answer={restart.answer} />}
        </>
      ) : (
        <p className="said-text" dir="auto">
          {visible(text)}
        </p>
      )}
      <BroughtHere thread={thread} at={entry.event} />
    </article>
  );
});

const DECIDED: Readonly<Record<NonNullable<Restart['answer']>['decision'], string>> = {
  branch: 'goes on in a branch',
  rollback: 'rolled back',
  amend: 'terms amended',
  acknowledge: 'acknowledged, goes on unchanged',
  halt: 'halted',
};

function Answered({ answer }: { readonly answer: NonNullable<Restart['answer']> }) {
  return (
    <p className="soft">
      {answer.auto ? `By the policy that ${answer.auto.set_by} had set` : `By ${answer.by}`}: {DECIDED[answer.decision]}
      {answer.round !== undefined && ` to round ${answer.round}`}
      {answer.thread && (
        <>
          , in <ThreadLink id={answer.thread} title="its branch" />
        </>
      )}
      . <q dir="auto">{visible(answer.reason)}</q>
    </p>
  );
}

/** A change of the terms, where it was announced. */
export const TermsChanged = memo(function TermsChanged({
  thread,
  version,
}: {
  readonly thread: string;
  readonly version: Version;
}) {
  return (
    <article
      className="said noted"
      aria-label={`Terms, version ${version.version}`}
      tabIndex={-1}
      data-stop
      data-place={pathIn(thread, `terms.${version.version}`)}
    >
      <p className="soft">
        <a href={pathIn(thread, `terms.${version.version}`)} data-in-page>
          Terms, version {version.version}
        </a>
        : {termNames(version.changed)}; {effectOf(version)}
        {version.reason && (
          <>
            . <q dir="auto">{visible(version.reason)}</q>
          </>
        )}
      </p>
    </article>
  );
});

export function effectOf({ announced, effective }: Pick<Version, 'announced' | 'effective'>): string {
  if (announced === effective) return effective === 1 ? 'from the beginning' : `hold from round ${effective} on`;
  return `announced in round ${announced}, hold from round ${effective} on`;
}

const BEGAN = {
  branch: 'This branch began here',
  rollback: 'It went back to here',
  control: 'This control branch began here',
} as const;

export function Begun({ branch }: { readonly branch: NonNullable<Status['branch']> }) {
  return (
    <article className="said noted" aria-label="Where this branch began" tabIndex={-1} data-stop>
      <p className="soft">
        {BEGAN[branch.kind]}, from round {branch.from.round} of{' '}
        <ThreadLink id={branch.from.thread} title="another exchange" />
        {branch.reason && (
          <>
            . <q dir="auto">{visible(branch.reason)}</q>
          </>
        )}
      </p>
    </article>
  );
}
