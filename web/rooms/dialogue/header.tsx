import type { DialogueStatus } from '../../../src/client/index.ts';
import { useStore } from '../../data/store.ts';
import { threadRows } from '../../data/workspace.ts';
import { escapeBidi } from '../../ui/text/escape-bidi.ts';
import { ThreadLink } from '../../ui/thread-link.tsx';
import { RoomHeader } from '../room-header.tsx';

const LEVEL_LABELS: Readonly<Record<DialogueStatus['attention']['level'], string>> = {
  needs_you: 'Needs you.',
  publishable: 'Could be sent.',
  thinking: 'Thinking.',
  idle: 'Idle.',
};

type NextStep = NonNullable<DialogueStatus['attention']['next']>[number];

/** By the labels of the buttons that do it. */
function nextStepText(step: NextStep, { turn }: DialogueStatus): string {
  if (step === 'accept') return `Accept #${turn?.latest_reply} to make it the answer.`;
  return `Press Think to ${step}.`;
}

function isThinking({ run }: DialogueStatus): boolean {
  return run?.state === 'running' && run.waiting === undefined;
}

interface DialogueHeaderProps {
  readonly id: string;
  readonly status: DialogueStatus;
  /** The link to the latest accepted reply. */
  readonly acceptedLink: string | undefined;
}

/** The dialogue's title, and in words what the mind needs from the person (D14). */
export function DialogueHeader({ id, status, acceptedLink }: DialogueHeaderProps) {
  const row = useStore(threadRows)?.get(id);
  const { level, reason, next = [] } = status.attention;
  return (
    <>
      <RoomHeader id={id} panelLabel="Thoughts" text={acceptedLink === undefined ? undefined : { link: acceptedLink }}>
        {row?.forked_from && (
          <p className="soft">
            forked from <ThreadLink id={row.forked_from.thread} title="another dialogue" />
          </p>
        )}
      </RoomHeader>
      <div className="wants">
        <p className={`attention ${level}`} role="status" aria-label="What the mind wants">
          <b>{level === 'thinking' && !isThinking(status) ? 'Waiting.' : LEVEL_LABELS[level]}</b>{' '}
          <span dir="auto">{escapeBidi([reason, ...next.map((step) => nextStepText(step, status))].join(' '))}</span>
        </p>
        {status.warning && <p className="warned">{status.warning}</p>}
      </div>
    </>
  );
}
