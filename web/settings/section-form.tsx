import { type ReactNode, useState } from 'react';
import { Refused, useWish } from '../ui/request.tsx';
import { Anchor } from './anchor.tsx';

interface SavedProps {
  /** What an address calls this part. */
  readonly id: string;
  readonly label: string;
  /** What is said until it is saved. */
  readonly hint: string;
  /** Its fields, each named. */
  readonly children: ReactNode;
  save(form: FormData): Promise<unknown>;
  onSaved(): Promise<void>;
}

/** A part of the settings that is written to heddle.yaml. */
export function Saved({ id, label, hint, children, save, onSaved }: SavedProps) {
  const { wish, busy, refusal } = useWish();
  const [isSaved, setSaved] = useState(false);

  async function submit(form: FormData): Promise<void> {
    setSaved(false);
    if (!(await wish(() => save(form)))) return;
    setSaved(true);
    await onSaved();
  }

  return (
    <Anchor id={id} label={label}>
      <form
        aria-label={label}
        onChange={() => setSaved(false)}
        onSubmit={(event) => {
          event.preventDefault();
          void submit(new FormData(event.currentTarget));
        }}
      >
        <h2>{label}</h2>
        <p className="line saved-fields">
          {children}
          <button type="submit" className="act" disabled={busy}>
            Save
          </button>
        </p>
        <p className="soft" role="status">
          {isSaved ? 'Saved in heddle.yaml.' : hint}
        </p>
        <Refused because={refusal} />
      </form>
    </Anchor>
  );
}
