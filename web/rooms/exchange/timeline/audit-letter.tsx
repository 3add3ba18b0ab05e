import { memo, useEffect, useRef } from 'react';
import { openExplain } from '../../../explain/target.ts';
import { Elsewhere } from '../../../transfer/buttons.tsx';
import { CameOf } from '../../../transfer/origin-notes.tsx';
import { firstLine } from '../../../ui/text/first-line.ts';
import { visible } from '../../../ui/text/visible.ts';
import { Time } from '../../../ui/time.tsx';
import { ClusterSign } from '../../pool/map.tsx';
import { pathIn } from '../places.ts';
import type { Audit, Entry } from '../queries.ts';

interface LetterProps {
  readonly thread: string;
  readonly audit: Audit;
  readonly roles: readonly Entry[];
  readonly isTarget: boolean;
  /** The rounds wait for an answer to it: the name of the button that continues without one. */
  readonly continuedBy: 'Go on' | 'Run' | undefined;
}

/** An audit, over the whole width; every thought it names is a link, and what it names in vain is marked. */
export const Letter = memo(function Letter({ thread, audit, roles, isTarget, continuedBy }: LetterProps) {
  const letter = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isTarget) return;
    letter.current?.scrollIntoView({ block: 'start' });
    letter.current?.focus({ preventScroll: true });
  }, [isTarget]);
  return (
    <article
      ref={letter}
      className={isTarget ? 'letter target' : 'letter'}
      aria-label={`Audit ${audit.audit}`}
      data-place={pathIn(thread, `audit.${audit.audit}`)}
      tabIndex={-1}
      data-stop
    >
      <header>
        <a className="mark" href={pathIn(thread, `audit.${audit.audit}`)} data-in-page>
          [AUDIT]
        </a>{' '}
        <span className="soft">
          {audit.audit}, after round {audit.round} · {audit.model}
          {audit.small && ' (small)'} · <Time ts={audit.ts} />
        </span>{' '}
        <button
          type="button"
          className="act"
          title="w"
          onClick={() => openExplain(pathIn(thread, `audit.${audit.audit}`))}
        >
          Where from
        </button>{' '}
        <Elsewhere link={pathIn(thread, `audit.${audit.audit}`)} />
      </header>
      <p className="letter-text" dir="auto">
        {piecesOf(audit).map((piece, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an audit never changes
          <Piece key={i} thread={thread} piece={piece} />
        ))}
      </p>
      <Rests audit={audit} />
      <CameOf link={pathIn(thread, `audit.${audit.audit}`)} />
      {continuedBy && <p className="warned">It waits for your answer. “{continuedBy}” continues without one.</p>}
      <div className="roles">
        {roles.map(({ event, marked, text, type }) => (
          <details key={event}>
            <summary>
              <code>{marked.slice(0, marked.length - text.length).trim()}</code>{' '}
              <span className="soft">{type === 'auditor_role' ? 'by which it was written' : 'as it was stated'}</span>
            </summary>
            <p className="role-text" dir="auto">
              {visible(text)}
            </p>
          </details>
        ))}
      </div>
    </article>
  );
});

/** What an audit rests on: how much of the pool it covers, and what it names that is not there (X4). */
function Rests({ audit }: { readonly audit: Audit }) {
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
            <ClusterSign key={id} cluster={id} />
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

interface PieceOfText {
  readonly text: string;
  readonly cites?: Audit['cites'][number];
  readonly isFalse?: boolean;
}

function piecesOf({ text, cites }: Audit): readonly PieceOfText[] {
  const byId = new Map(cites.map((thought) => [thought.id, thought]));
  return text.split(/(#\d{1,12}(?!\d))/).map((part, i) => {
    if (i % 2 === 0) return { text: part };
    const thought = byId.get(Number(part.slice(1)));
    return thought ? { text: part, cites: thought } : { text: part, isFalse: true };
  });
}

function Piece({ thread, piece }: { readonly thread: string; readonly piece: PieceOfText }) {
  const { text, cites, isFalse } = piece;
  if (cites) {
    return (
      <a href={pathIn(thread, `thought.${cites.id}`)} data-in-page title={firstLine(cites.text, 200)}>
        {text}
      </a>
    );
  }
  if (!isFalse) return visible(text);
  return (
    <span className="false-citation" title="There is no such thought">
      {text}
    </span>
  );
}
