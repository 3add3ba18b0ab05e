import { ChevronDown, Play } from 'lucide-react';
import { type RefObject, useImperativeHandle, useRef, useState } from 'react';
import type { ExchangeStatus } from '../../../src/client/index.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Menu, MenuItem } from '../../ui/floating/menu.tsx';
import { Glyph } from '../../ui/icon.tsx';
import { Face } from '../../ui/people/participant.tsx';
import { RefusalMessage, useAttempt } from '../../ui/refusal.tsx';
import { useIsNarrow } from '../../ui/sheet.tsx';
import { WriteForm } from '../write-form.tsx';
import styles from './composer.module.css';
import type { LiveExchange } from './live-exchange.ts';

export type ComposerVoice = 'inject' | 'observe';
export interface ComposerHandle {
  /** Focuses the field and selects this voice. */
  write(voice?: ComposerVoice): void;
}
const VOICE_LABELS: Readonly<Record<ComposerVoice, string>> = { observe: 'As observer', inject: 'From outside' };

interface ExchangeComposerProps {
  readonly exchange: LiveExchange;
  readonly status: ExchangeStatus;
  readonly handle: RefObject<ComposerHandle | null>;
}

/** The field for the observer's messages to the minds, and for the answer to an audit (X5, X19). */
export function ExchangeComposer({ exchange, status, handle }: ExchangeComposerProps) {
  const [voice, setVoice] = useState<ComposerVoice>('observe');
  const field = useRef<HTMLTextAreaElement>(null);
  const isNarrow = useIsNarrow();
  useImperativeHandle(handle, () => ({
    write(next) {
      if (next) setVoice(next);
      field.current?.focus();
    },
  }));
  if (status.control) {
    return <p className={styles.closed}>A control branch runs without you, for comparison.</p>;
  }
  if (status.halted) {
    return <p className={styles.closed}>This exchange is halted. Branch it or roll it back to continue.</p>;
  }

  const choose = (next: ComposerVoice) => {
    setVoice(next);
    field.current?.focus();
  };
  const isAnswering = status.awaiting !== undefined && voice === 'observe';
  const hint = isAnswering
    ? `Answer audit ${status.awaiting}`
    : voice === 'observe'
      ? 'Say something to all minds'
      : 'Tell all minds something from outside';
  return (
    <WriteForm
      draftKey={exchange.id}
      label="Message to all minds"
      field={field}
      fieldLabel={VOICE_LABELS[voice]}
      hint={hint}
      note={
        isNarrow
          ? ''
          : isAnswering
            ? 'Every mind sees it; the rounds continue'
            : 'Every mind sees it until the next audit'
      }
      submitLabel={isAnswering ? 'Answer' : 'Send'}
      above={status.awaiting !== undefined && <AnswerNote exchange={exchange} status={status} />}
      onSend={(message) => exchange.remote.command(voice, message)}
    >
      <Menu
        trigger={
          <Button kind="quiet">
            <Face id={exchange.me} size="small" />
            {VOICE_LABELS[voice]}
            <Glyph icon={ChevronDown} size={14} />
          </Button>
        }
      >
        <MenuItem shortcut="o" onSelect={() => choose('observe')}>
          {VOICE_LABELS.observe}
        </MenuItem>
        <MenuItem shortcut="i" onSelect={() => choose('inject')}>
          {VOICE_LABELS.inject}
        </MenuItem>
      </Menu>
    </WriteForm>
  );
}

/** An audit waits: it is answered below, or the rounds go on without an answer. */
function AnswerNote({ exchange: { remote }, status: { awaiting, run } }: Omit<ExchangeComposerProps, 'handle'>) {
  const { attempt, busy, refusal } = useAttempt();
  const isPaused = run?.state === 'paused';
  const goOn = () => void attempt(() => (isPaused ? remote.command('resume_run', {}) : remote.command('run', {})));
  return (
    <div className={styles.answer}>
      <p>Audit {awaiting} waits for your answer.</p>
      <Button kind="quiet" icon={Play} shortcut="g" disabled={busy} onClick={goOn}>
        Continue without an answer
      </Button>
      <RefusalMessage reason={refusal} />
    </div>
  );
}
