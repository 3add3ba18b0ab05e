import { Scale } from 'lucide-react';
import { memo, type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react';
import type { AuditItem, EntryItem } from '../../../../src/client/index.ts';
import { OpenedThreads } from '../../../transfer/origin-notes.tsx';
import { Glyph } from '../../../ui/icon.tsx';
import { Face } from '../../../ui/people/participant.tsx';
import { Tag } from '../../../ui/status/badge.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { Markdown } from '../../../ui/text/markdown.tsx';
import { Time } from '../../../ui/time.tsx';
import { ClusterIcon } from '../../pool/map.tsx';
import { TextActions } from '../../text-actions.tsx';
import { exchangePath } from '../places.ts';
import styles from './letter.module.css';
import { renderCitations } from './thought-links.tsx';

interface AuditLetterProps {
  readonly thread: string;
  readonly audit: AuditItem;
  readonly roles: readonly EntryItem[];
  readonly isTarget: boolean;
  readonly isAwaiting: boolean;
}

const ROLE_LABELS: Readonly<Record<string, string>> = {
  auditor_role: 'The auditor’s specification',
  observer_role: 'The observer’s role',
};

/** An audit as a letter; cited thoughts are links, and unknown citations are struck through. */
export const AuditLetter = memo(function AuditLetter(props: AuditLetterProps) {
  const { thread, audit, roles, isTarget, isAwaiting } = props;
  const letter = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isTarget) return;
    letter.current?.scrollIntoView({ block: 'start' });
    letter.current?.focus({ preventScroll: true });
  }, [isTarget]);
  const cites = useMemo(() => new Map(audit.cites.map((thought) => [thought.id, thought])), [audit.cites]);
  const renderText = useCallback((text: string) => renderCitations(text, thread, cites, true), [thread, cites]);
  const link = exchangePath(thread, `audit.${audit.audit}`);
  return (
    <article
      ref={letter}
      className={isTarget ? `${styles.letter} ${styles.target}` : styles.letter}
      aria-label={`Audit ${audit.audit}`}
      data-place={link}
      tabIndex={-1}
      data-stop
    >
      <LetterHead
        title={
          <a href={link} data-in-page>
            Audit {audit.audit}
          </a>
        }
        actions={<TextActions link={link} text={audit.text} />}
      >
        after round {audit.round} · <Time ts={audit.ts} />
      </LetterHead>
      <div className={styles.text}>
        <Markdown text={audit.text} renderText={renderText} />
      </div>
      <Signature>
        {audit.model} {audit.small && <Tag>small</Tag>}
      </Signature>
      <div className={styles.foot}>
        <AuditCoverage audit={audit} />
        <OpenedThreads link={link} />
        {isAwaiting && <p className={styles.needs}>It waits for your answer.</p>}
        {roles.length > 0 && (
          <div className={styles.roles}>
            {roles.map(({ event, text, type }) => (
              <details key={event}>
                <summary>{ROLE_LABELS[type]}</summary>
                <p className={styles.role} dir="auto">
                  {escapeBidi(text)}
                </p>
                <TextActions link={exchangePath(thread, event)} text={text} />
              </details>
            ))}
          </div>
        )}
      </div>
    </article>
  );
});

interface LetterHeadProps {
  readonly title: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function LetterHead({ title, actions, children }: LetterHeadProps) {
  return (
    <header className={styles.head}>
      <Glyph icon={Scale} />
      {title}
      <span className={styles.about}>{children}</span>
      {actions && <span className={styles.actions}>{actions}</span>}
    </header>
  );
}

function Signature({ children }: { readonly children: ReactNode }) {
  return (
    <p className={styles.signed}>
      <Face id="auditor" size="small" />
      <span dir="auto">Auditor, {children}</span>
    </p>
  );
}

/** The basis of an audit: its coverage of the pool, and its unknown citations (X4). */
function AuditCoverage({ audit }: { readonly audit: AuditItem }) {
  const { cites, unknown, coverage } = audit;
  const clusters = coverage.cited.length + coverage.missed.length;
  return (
    <>
      <p>
        Cites {cites.length} {cites.length === 1 ? 'thought' : 'thoughts'};{' '}
        {clusters === 0
          ? 'there are no clusters yet'
          : `covers ${coverage.cited.length} of ${clusters} ${clusters === 1 ? 'cluster' : 'clusters'} (${Math.round(coverage.share * 100)}%)`}
        {coverage.missed.length > 0 && (
          <>
            {' '}
            · does not mention{' '}
            {coverage.missed.slice(0, 12).map((id) => (
              <ClusterIcon key={id} cluster={id} />
            ))}
            {coverage.missed.length > 12 && ` and ${coverage.missed.length - 12} more`}
          </>
        )}
      </p>
      {cites.length === 0 && <p className={styles.warning}>It cites no thought that exists.</p>}
      {unknown.length > 0 && (
        <p className={styles.warning}>
          It cites {unknown.map((id) => `#${id}`).join(', ')}, which {unknown.length === 1 ? 'does' : 'do'} not exist.
        </p>
      )}
    </>
  );
}
