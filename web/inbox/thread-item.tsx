import type { ThreadRow, WireSnippet } from '../../src/client/index.ts';
import { ThreadPeople } from '../data/thread-people.tsx';
import { threadPath } from '../shell/address.ts';
import { KindIcon } from '../ui/kind-icon.tsx';
import { Face, Name } from '../ui/people/participant.tsx';
import { Tag } from '../ui/status/badge.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { firstLine } from '../ui/text/first-line.ts';
import { Time } from '../ui/time.tsx';
import styles from './thread-item.module.css';

interface ThreadItemProps {
  readonly row: ThreadRow;
  /** Null: nothing has been written. Undefined: not known yet. */
  readonly snippet: WireSnippet | undefined | null;
  readonly unreadCount: number;
  readonly needsYou: boolean;
  /** A side channel stands under its parent. */
  readonly isSide?: boolean;
}

const MAX_FACES = 4;
const MAX_TAGS = 2;
const MAX_SNIPPET = 160;

/** A thread in a list: its title, state, newest text, people and time. */
export function ThreadItem({ row, snippet, unreadCount, needsYou, isSide = false }: ThreadItemProps) {
  const className = [styles.item, unreadCount > 0 && styles.unread, isSide && styles.side].filter(Boolean).join(' ');
  const state = stateOf(row);
  return (
    <a className={className} href={threadPath(row)} data-in-page>
      <KindIcon kind={row.kind} />
      <ThreadPeople thread={row.id}>
        <span className={styles.texts}>
          <span className={styles.title}>
            <b dir="auto">{escapeBidi(row.title)}</b>
            {needsYou && <Tag tone="needs">Needs you</Tag>}
            {state && <Tag>{state}</Tag>}
            {row.tags?.slice(0, MAX_TAGS).map((tag) => (
              <Tag key={tag}>{escapeBidi(tag)}</Tag>
            ))}
          </span>
          <span className={styles.snippet} dir="auto">
            {snippet === null && 'Nothing written yet'}
            {snippet && (
              <>
                <Name id={snippet.by} />: {firstLine(snippet.text, MAX_SNIPPET)}
              </>
            )}
          </span>
        </span>
        <span className={styles.faces} aria-hidden="true">
          {row.people?.slice(0, MAX_FACES).map((id) => (
            <Face key={id} id={id} size="small" />
          ))}
        </span>
      </ThreadPeople>
      <span className={styles.end}>
        <Time ts={row.last.ts} />
        {unreadCount > 0 && (
          <span className={styles.count}>
            {unreadCount > 99 ? '99+' : unreadCount}
            <span className="unseen"> new</span>
          </span>
        )}
      </span>
    </a>
  );
}

function stateOf({ archived, done, paused, imported, working }: ThreadRow): string | undefined {
  if (archived) return 'Archived';
  if (done) return 'Done';
  if (paused) return 'Paused';
  if (imported?.waiting) return 'Imported, waiting';
  return working ? 'Working' : undefined;
}
