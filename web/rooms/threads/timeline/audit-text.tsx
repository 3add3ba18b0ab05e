import type { WireEvent } from '../../../../src/client/index.ts';
import type { AuditFacts } from '../../../../src/core/threads/audit/audit.ts';
import { useStore } from '../../../data/store.ts';
import { threadRows } from '../../../data/workspace.ts';
import { conversationPath, threadPath } from '../../../shell/address.ts';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { Markdown } from '../../../ui/text/markdown.tsx';
import styles from './message.module.css';

const NUMBER = /(#\d{1,9}(?!\d))/;

/** Events in imported files may hold anything here. */
export function auditFactsOf({ meta }: WireEvent): AuditFacts | undefined {
  const { audit } = meta;
  const { cites, unknown, shown } = audit ?? {};
  if (!Array.isArray(cites) || !Array.isArray(unknown) || typeof shown !== 'number') return undefined;
  const isCitation = (each: unknown) => typeof (each as { event?: unknown } | null)?.event === 'string';
  return cites.every(isCitation) ? (audit as AuditFacts) : undefined;
}

interface AuditTextProps {
  readonly thread: string;
  readonly text: string;
  readonly facts: AuditFacts;
}

/** An audit of the thread: every message it cites is a link, and invalid citations are marked (T21). */
export function AuditText({ thread, text, facts }: AuditTextProps) {
  const row = useStore(threadRows)?.get(thread);
  const links = new Map(facts.cites.map((citation) => [`#${citation.seq}`, citationLink(citation)]));
  const { unknown, cites, shown } = facts;
  const noun = cites.some(({ at }) => at) ? 'text' : 'message';

  /** Events of a dialogue, exchange or loom link to a place in their own room. */
  function citationLink({ event, at }: AuditFacts['cites'][number]): string {
    return row && typeof at === 'string' ? threadPath(row, at) : conversationPath(thread, event);
  }

  const renderText = (part: string) =>
    part.split(NUMBER).map((piece, i) => {
      const href = i % 2 === 1 ? links.get(piece) : undefined;
      return href === undefined ? (
        escapeBidi(piece)
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: an audit never changes
        <a key={i} href={href} data-in-page>
          {piece}
        </a>
      );
    });

  return (
    <>
      <Markdown text={text} renderText={renderText} />
      <p className={styles.small}>
        audit: names {cites.length} of the {shown} {shown === 1 ? noun : `${noun}s`} it was shown
        {unknown.length > 0 && (
          <span className="warned">
            {' '}
            · and {unknown.map((seq) => `#${seq}`).join(', ')}, which {unknown.length === 1 ? 'is' : 'are'} none of them
          </span>
        )}
      </p>
    </>
  );
}
