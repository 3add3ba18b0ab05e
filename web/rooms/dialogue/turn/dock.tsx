import { type FocusEvent, type RefObject, useState } from 'react';
import type { DialogueStatus } from '../../../../src/client/index.ts';
import { browserStorage } from '../../../data/browser-storage.ts';
import { Tag } from '../../../ui/status/badge.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { WriteForm } from '../../write-form.tsx';
import type { LiveDialogue } from '../live-dialogue.ts';
import styles from './action-bar.module.css';

const LEVEL_LABELS: Readonly<Record<DialogueStatus['attention']['level'], string>> = {
  needs_you: 'Needs you',
  publishable: 'Could be sent',
  thinking: 'Thinking',
  idle: 'Idle',
};

/** Each failure has its reason in the sheet. */
const FAILED_TOO_OFTEN =
  'The run is paused: three iterations in a row failed. Press Continue to try again, or choose another model in the settings.';

/** What the mind needs from the person, in words (D14). While it works, the sheet shows that. */
export function MindWants({ status }: { readonly status: DialogueStatus }) {
  const { level, reason, next = [] } = status.attention;
  const { run } = status;
  const isRunning = run?.state === 'running';
  // What the person did is no call for help.
  const isOwnPause = run?.state === 'paused' && run.reason === 'asked';
  const label = isOwnPause ? 'Paused' : level === 'thinking' && !isRunning ? 'Waiting' : LEVEL_LABELS[level];
  const why = run?.reason === 'malformed' && run.state === 'paused' ? FAILED_TOO_OFTEN : pageWords(reason);
  const words = [why, ...nextSteps(next, status)].join(' ');
  // The sheet shows how the mind works, and what it waits for.
  const isQuiet = level === 'idle' || (level === 'thinking' && isRunning);
  return (
    <>
      <p className={isQuiet ? 'unseen' : styles.wants} role="status" aria-label="What the mind needs">
        <Tag tone={level === 'needs_you' && !isOwnPause ? 'needs' : 'plain'}>{label}</Tag>{' '}
        <span dir="auto">{escapeBidi(words)}</span>
      </p>
      {status.warning && <p className={styles.warning}>{status.warning}</p>}
    </>
  );
}

/** Without what is said for a terminal: numbers with a sign, and to look at what is in view. */
function pageWords(reason: string): string {
  return reason
    .replace(/^#(\d+) /, 'Draft $1 ')
    .replace('Draft #', 'Draft ')
    .replace(/ Look at it now\.$/, '');
}

/** By the labels of the buttons that do it. */
function nextSteps(
  next: NonNullable<DialogueStatus['attention']['next']>,
  { turn }: DialogueStatus,
): readonly string[] {
  if (next.includes('start')) return ['Press Think to start.'];
  if (next.length === 0) return [];
  return [
    next.includes('accept')
      ? `Press Think to continue, or accept draft ${turn?.latest_reply}.`
      : 'Press Think to continue.',
  ];
}

interface SteerFormProps {
  readonly dialogue: LiveDialogue;
  readonly turn: number;
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

/** A note to the mind. It opens when it takes the focus, as a letter typed in this room makes it, and closes empty. */
export function SteerForm({ dialogue, turn, field }: SteerFormProps) {
  const draftKey = `${dialogue.id}.steer`;
  const hasFiles = () => browserStorage.unsent(`${draftKey}.files`) !== undefined;
  const [isOpen, setOpen] = useState(() => !!browserStorage.unsent(draftKey)?.text || hasFiles());
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) setOpen(!!field.current?.value || hasFiles());
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only follows the focus of what is inside
    <div className={isOpen ? styles.steer : 'unseen'} onFocus={() => setOpen(true)} onBlur={onBlur}>
      <WriteForm
        draftKey={draftKey}
        label="Steer"
        field={field}
        fieldLabel="Your note to the mind"
        hint="A note for the next draft; nothing is accepted"
        submitLabel="Steer"
        onSend={(message) => dialogue.remote.command('steer', { ...message, turn })}
      />
    </div>
  );
}
