import { type RefObject, useImperativeHandle, useRef, useState } from 'react';
import type { ExchangeStatus } from '../../../src/client/index.ts';
import { WriteForm } from '../write-form.tsx';
import type { LiveExchange } from './live-exchange.ts';

export type ComposerVoice = 'inject' | 'observe';
export interface ComposerHandle {
  /** Focuses the field and selects this voice. */
  write(voice?: ComposerVoice): void;
}
const VOICES = [
  { voice: 'observe', mark: '[OBSERVER]', is: 'as the observer', key: 'o' },
  { voice: 'inject', mark: '>>>', is: 'from outside', key: 'i' },
] as const;

interface ExchangeComposerProps {
  readonly exchange: LiveExchange;
  readonly status: ExchangeStatus;
  readonly handle: RefObject<ComposerHandle | null>;
}

/** The field for the observer's messages to the pool; the observer cannot write thoughts (X5). */
export function ExchangeComposer({ exchange, status, handle }: ExchangeComposerProps) {
  const [voice, setVoice] = useState<ComposerVoice>('observe');
  const field = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(handle, () => ({
    write(next) {
      if (next) setVoice(next);
      field.current?.focus();
    },
  }));

  if (status.control) {
    return <p className="composer soft">A control branch runs without observer input, to be compared with.</p>;
  }
  if (status.halted) {
    return (
      <p className="composer soft">It was halted: nothing more is said here. Branch it or roll it back to go on.</p>
    );
  }

  const isAnswering = status.awaiting !== undefined && voice === 'observe';
  const hint = isAnswering
    ? `Answer audit ${status.awaiting}, or go on without an answer`
    : voice === 'observe'
      ? 'Say something to the pool; every mind sees it until the next audit'
      : 'A message from outside; every mind sees it until the next audit';
  return (
    <WriteForm
      draftKey={exchange.id}
      label="Speak to the pool"
      field={field}
      fieldLabel={voice === 'observe' ? 'As the observer' : 'From outside'}
      hint={hint}
      submitLabel={isAnswering ? 'Answer' : 'Say'}
      onSend={(text) => exchange.remote.command(voice, { text })}
    >
      <fieldset className="voices" aria-label="How it is said">
        {VOICES.map((each) => (
          <label key={each.voice} title={each.key}>
            <input
              type="radio"
              name="voice"
              checked={voice === each.voice}
              onChange={() => {
                setVoice(each.voice);
                field.current?.focus();
              }}
            />
            <code>{each.mark}</code> <span className="soft">{each.is}</span>
          </label>
        ))}
      </fieldset>
    </WriteForm>
  );
}
