import { type KeyboardEvent, type RefObject, useImperativeHandle, useRef, useState } from 'react';
import { kept } from '../kept.ts';
import { Refused, useWish } from '../refused.tsx';
import type { Live } from './live.ts';
import type { Status } from './reads.ts';

export type Voice = 'inject' | 'observe';
export interface ComposerHandle {
  /** Goes to the field, with this voice. */
  write(voice?: Voice): void;
}
const VOICES = [
  { voice: 'observe', mark: '[OBSERVER]', is: 'as the observer', key: 'o' },
  { voice: 'inject', mark: '>>>', is: 'from outside', key: 'i' },
] as const;

interface ComposerProps {
  readonly live: Live;
  readonly status: Status;
  readonly handle: RefObject<ComposerHandle | null>;
}

/** Where the observer speaks to the pool; thoughts are not the observer's to write (X5). */
export function Composer({ live, status, handle }: ComposerProps) {
  const [text, setText] = useState(() => kept.unsent(live.id)?.text ?? '');
  const [voice, setVoice] = useState<Voice>('observe');
  const field = useRef<HTMLTextAreaElement>(null);
  const { wish, busy, refusal } = useWish();
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

  function change(next: string): void {
    setText(next);
    kept.keepUnsent(live.id, { text: next });
  }

  async function send(): Promise<void> {
    if (text.trim() === '' || busy) return;
    if (await wish(() => live.remote.command(voice, { text }))) change('');
  }

  function pressed(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key === 'Escape') event.currentTarget.blur();
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  }

  const waits = status.awaiting !== undefined && voice === 'observe';
  const hint = waits
    ? `Answer audit ${status.awaiting}; the rounds wait for it`
    : voice === 'observe'
      ? 'Say something to the pool; every mind sees it until the next audit'
      : 'A message from outside; every mind sees it until the next audit';
  return (
    <form
      className="composer"
      aria-label="Speak to the pool"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        aria-label={voice === 'observe' ? 'As the observer' : 'From outside'}
        placeholder={hint}
        value={text}
        onChange={(event) => change(event.target.value)}
        onKeyDown={pressed}
      />
      <div className="composer-foot">
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
        <button type="submit" className="act send" disabled={text.trim() === '' || busy}>
          {waits ? 'Answer' : 'Say'}
        </button>
      </div>
      <Refused because={refusal} />
    </form>
  );
}
