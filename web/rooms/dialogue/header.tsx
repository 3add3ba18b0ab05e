import { useStore } from '../../data/store.ts';
import { rows } from '../../data/workspace.ts';
import { ListButton, PanelButton } from '../../shell/frame.tsx';
import { TrailLine } from '../../transfer/trail.tsx';
import { visible } from '../../ui/text/visible.ts';
import { ThreadLink } from '../../ui/thread-link.tsx';
import { SaidBeside } from '../discussion-link.tsx';
import { ImportedNote } from '../imported-note.tsx';
import type { Status } from './queries.ts';

const WORDS: Readonly<Record<Status['attention']['level'], string>> = {
  needs_you: 'Needs you.',
  publishable: 'Could be sent.',
  thinking: 'Thinking.',
  idle: 'Idle.',
};

function isThinking({ run }: Status): boolean {
  return run?.state === 'running' && run.waiting === undefined;
}

interface HeadProps {
  readonly id: string;
  readonly status: Status;
  /** The address of what was accepted last. */
  readonly accepted: string | undefined;
}

/** What the dialogue is called, and in words what the mind wants of the person (D14). */
export function Head({ id, status, accepted }: HeadProps) {
  const row = useStore(rows)?.get(id);
  const { level, reason } = status.attention;
  return (
    <>
      <header className="head">
        <ListButton />
        <div className="head-words">
          <h1 dir="auto" title={visible(row?.title ?? '')}>
            {visible(row?.title ?? '')}
          </h1>
          {row?.forked_from && (
            <p className="soft">
              forked from <ThreadLink id={row.forked_from.thread} title="another dialogue" />
            </p>
          )}
          <TrailLine id={id} text={accepted === undefined ? undefined : { link: accepted }} />
          <SaidBeside id={id} />
          <ImportedNote id={id} />
        </div>
        <PanelButton label="Thoughts" />
      </header>
      <div className="wants">
        <p className={`attention ${level}`} role="status" aria-label="What the mind wants">
          <b>{level === 'thinking' && !isThinking(status) ? 'Waiting.' : WORDS[level]}</b>{' '}
          <span dir="auto">{visible(reason)}</span>
        </p>
        {status.warning && <p className="warned">{status.warning}</p>}
      </div>
    </>
  );
}
