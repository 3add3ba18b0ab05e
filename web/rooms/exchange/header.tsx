import { useStore } from '../../data/store.ts';
import { rows } from '../../data/workspace.ts';
import { ListButton, PanelButton } from '../../shell/frame.tsx';
import { TrailLine } from '../../transfer/trail.tsx';
import { numeral } from '../../ui/numeral.ts';
import { firstLine } from '../../ui/text/first-line.ts';
import { visible } from '../../ui/text/visible.ts';
import { ThreadLink } from '../../ui/thread-link.tsx';
import { SaidBeside } from '../discussion-link.tsx';
import { ImportedNote } from '../imported-note.tsx';
import type { Live } from './live-exchange.ts';
import { pathIn } from './places.ts';
import type { Status } from './queries.ts';

const WORDS: Readonly<Record<Status['attention']['level'], string>> = {
  needs_you: 'Needs you.',
  running: 'Running.',
  idle: 'Idle.',
};
const PHASES = { free_running: 'free-running phase', structured: 'structured: audits ask for your answer' } as const;
const KINDS = { branch: 'a branch of', rollback: 'gone back from', control: 'a control branch of' } as const;

/** What the exchange is called, what it wants of the observer, and where it stands. */
export function Head({ live, status }: { readonly live: Live; readonly status: Status }) {
  const title = visible(useStore(rows)?.get(live.id)?.title ?? '');
  const { level, reason } = status.attention;
  const { branch } = status;
  return (
    <>
      <header className="head">
        <ListButton />
        <div className="head-words">
          <h1 dir="auto" title={title}>
            {title}
          </h1>
          {status.question !== '' && !title.startsWith(status.question) && (
            <p className="soft" dir="auto" title={visible(status.question)}>
              {firstLine(status.question, 160)}
            </p>
          )}
          {branch && (
            <p className="soft">
              {KINDS[branch.kind]} <ThreadLink id={branch.from.thread} title="another exchange" /> at round{' '}
              {branch.from.round}
            </p>
          )}
          <TrailLine id={live.id} />
          <SaidBeside id={live.id} />
          <ImportedNote id={live.id} />
        </div>
        <a className="act" href={pathIn(live.id, 'terms')} data-in-page title="t">
          Terms
        </a>
        <PanelButton label="Pool" />
      </header>
      <div className="wants">
        <p className={`attention ${level}`} role="status" aria-label="What the exchange wants">
          <b>{WORDS[level]}</b> <span dir="auto">{visible(reason)}</span>
        </p>
        <p className="soft standing-line">
          round {status.round} · {PHASES[status.phase]} · {numeral(status.thoughts)}{' '}
          {status.thoughts === 1 ? 'thought' : 'thoughts'}, {status.active} active
          {!status.halted && ` · ${nextAudit(status)}`}
        </p>
      </div>
    </>
  );
}

function nextAudit({ audit_due, next_audit }: Status): string {
  if (audit_due || next_audit === 0) return 'an audit is due';
  return next_audit === 1 ? 'next audit after one round' : `next audit after ${next_audit} rounds`;
}
