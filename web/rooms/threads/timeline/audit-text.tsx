import type { WireEvent } from '../../../../src/client/index.ts';
import type { AuditFacts } from '../../../../src/core/threads/audit/audit.ts';
import { useStore } from '../../../data/store.ts';
import { rows } from '../../../data/workspace.ts';
import { pathOf, pathTo } from '../../../shell/address.ts';
import { visible } from '../../../ui/text/visible.ts';

const NUMBER = /(#\d{1,9}(?!\d))/;

/** Events of others' files may say anything here. */
export function auditOf({ meta }: WireEvent): AuditFacts | undefined {
  const { audit } = meta as { audit?: Partial<AuditFacts> };
  const { cites, unknown, shown } = audit ?? {};
  if (!Array.isArray(cites) || !Array.isArray(unknown) || typeof shown !== 'number') return undefined;
  const isCited = (each: unknown) => typeof (each as { event?: unknown } | null)?.event === 'string';
  return cites.every(isCited) ? (audit as AuditFacts) : undefined;
}

interface AuditWordsProps {
  readonly thread: string;
  readonly text: string;
  readonly facts: AuditFacts;
}

/** An audit of the thread: every message it names is a link, and what it names in vain is marked (T21). */
export function AuditWords({ thread, text, facts }: AuditWordsProps) {
  const row = useStore(rows)?.get(thread);
  const links = new Map(facts.cites.map((cited) => [`#${cited.seq}`, linkOf(cited)]));
  const { unknown, cites, shown } = facts;
  const what = cites.some(({ at }) => at) ? 'text' : 'message';

  /** What a kind adds has a place in its own room. */
  function linkOf({ event, at }: AuditFacts['cites'][number]): string {
    return row && typeof at === 'string' ? pathTo(row, at) : pathOf(thread, event);
  }

  return (
    <>
      <p className="audit-words" dir="auto">
        {text.split(NUMBER).map((part, i) => {
          const cited = i % 2 === 1 ? links.get(part) : undefined;
          return cited === undefined ? (
            visible(part)
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: an audit never changes
            <a key={i} href={cited} data-in-page>
              {part}
            </a>
          );
        })}
      </p>
      <p className="word small">
        audit: names {cites.length} of the {shown} {shown === 1 ? what : `${what}s`} it was shown
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
