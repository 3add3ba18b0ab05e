import { memo, useCallback, useEffect, useRef } from 'react';
import type { AuditItem, EntryItem } from '../../../../src/client/index.ts';
import { openExplain } from '../../../explain/target.ts';
import { TransferButtons } from '../../../transfer/buttons.tsx';
import { OpenedThreads } from '../../../transfer/origin-notes.tsx';
import { ActionButton } from '../../../ui/action-button.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { firstLine } from '../../../ui/text/first-line.ts';
import { Markdown } from '../../../ui/text/markdown.tsx';
import { Time } from '../../../ui/time.tsx';
import { ClusterIcon } from '../../pool/map.tsx';
import { exchangePath } from '../places.ts';

interface AuditLetterProps {
  readonly thread: string;
  readonly audit: AuditItem;
  readonly roles: readonly EntryItem[];
  readonly isTarget: boolean;
  /** Set while the rounds wait for an answer: the label of the button that continues without one. */
  readonly continueLabel: 'Go on' | 'Run' | undefined;
}

/** An audit over the full width; cited thoughts are links, and unknown citations are marked. */
export const AuditLetter = memo(function AuditLetter({
  thread,
  audit,
  roles,
  isTarget,
  continueLabel,
}: AuditLetterProps) {
  const letter = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isTarget) return;
    letter.current?.scrollIntoView({ block: 'start' });
    letter.current?.focus({ preventScroll: true });
  }, [isTarget]);
  const { cites } = audit;
  const renderText = useCallback(
    (text: string) =>
      // biome-ignore lint/suspicious/noArrayIndexKey: an audit never changes
      piecesOf(text, cites).map((piece, i) => <LetterText key={i} thread={thread} piece={piece} />),
    [cites, thread],
  );
  return (
    <article
      ref={letter}
      className={isTarget ? 'letter target' : 'letter'}
      aria-label={`Audit ${audit.audit}`}
      data-place={exchangePath(thread, `audit.${audit.audit}`)}
      tabIndex={-1}
      data-stop
    >
      <header>
        <a className="mark" href={exchangePath(thread, `audit.${audit.audit}`)} data-in-page>
          [AUDIT]
        </a>{' '}
        <span className="soft">
          {audit.audit}, after round {audit.round} · {audit.model}
          {audit.small && ' (small)'} · <Time ts={audit.ts} />
        </span>{' '}
        <ActionButton title="w" onClick={() => openExplain(exchangePath(thread, `audit.${audit.audit}`))}>
          Source
        </ActionButton>{' '}
        <TransferButtons link={exchangePath(thread, `audit.${audit.audit}`)} />
      </header>
      <div className="letter-text">
        <Markdown text={audit.text} renderText={renderText} />
      </div>
      <AuditCoverage audit={audit} />
      <OpenedThreads link={exchangePath(thread, `audit.${audit.audit}`)} />
      {continueLabel && <p className="warned">It waits for your answer. “{continueLabel}” continues without one.</p>}
      <div className="roles">
        {roles.map(({ event, marked, text, type }) => (
          <details key={event}>
            <summary>
              <code>{marked.slice(0, marked.length - text.length).trim()}</code>{' '}
              <span className="soft">{type === 'auditor_role' ? 'by which it was written' : 'as it was stated'}</span>
            </summary>
            <p className="role-text" dir="auto">
              {escapeBidi(text)}
            </p>
          </details>
        ))}
      </div>
    </article>
  );
});

/** The basis of an audit: its coverage of the pool, and its unknown citations (X4). */
function AuditCoverage({ audit }: { readonly audit: AuditItem }) {
  const { cites, unknown, coverage } = audit;
  const clusters = coverage.cited.length + coverage.missed.length;
  return (
    <p className="rests">
      <span className="soft">
        Names {cites.length} {cites.length === 1 ? 'thought' : 'thoughts'};{' '}
        {clusters === 0
          ? 'there are no clusters yet'
          : `covers ${coverage.cited.length} of ${clusters} ${clusters === 1 ? 'cluster' : 'clusters'} (${Math.round(coverage.share * 100)} %)`}
      </span>
      {coverage.missed.length > 0 && (
        <span className="soft">
          {' '}
          · says nothing of{' '}
          {coverage.missed.slice(0, 12).map((id) => (
            <ClusterIcon key={id} cluster={id} />
          ))}
          {coverage.missed.length > 12 && ` and ${coverage.missed.length - 12} more`}
        </span>
      )}
      {cites.length === 0 && <span className="warned"> · cites no thought that exists</span>}
      {unknown.length > 0 && (
        <span className="warned">
          {' '}
          · names {unknown.map((id) => `#${id}`).join(', ')}, which {unknown.length === 1 ? 'is' : 'are'} not there
        </span>
      )}
    </p>
  );
}

interface LetterPiece {
  readonly text: string;
  readonly cites?: AuditItem['cites'][number];
  readonly isFalse?: boolean;
}

function piecesOf(text: string, cites: AuditItem['cites']): readonly LetterPiece[] {
  const byId = new Map(cites.map((thought) => [thought.id, thought]));
  return text.split(/(#\d{1,12}(?!\d))/).map((part, i) => {
    if (i % 2 === 0) return { text: part };
    const thought = byId.get(Number(part.slice(1)));
    return thought ? { text: part, cites: thought } : { text: part, isFalse: true };
  });
}

function LetterText({ thread, piece }: { readonly thread: string; readonly piece: LetterPiece }) {
  const { text, cites, isFalse } = piece;
  if (cites) {
    return (
      <a href={exchangePath(thread, `thought.${cites.id}`)} data-in-page title={firstLine(cites.text, 200)}>
        {text}
      </a>
    );
  }
  if (!isFalse) return escapeBidi(text);
  return (
    <span className="false-citation" title="There is no such thought">
      {text}
    </span>
  );
}
