import { Suspense, useCallback, useState } from 'react';
import { startThread } from '../inbox/start-thread.ts';
import type { ExchangeSetupResult } from '../rooms/exchange/terms/setup.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Dialog } from '../ui/floating/dialog.tsx';
import { focusOnMount } from '../ui/focus.ts';
import { handleSubmit } from '../ui/handle-submit.ts';
import { KindIcon } from '../ui/kind-icon.tsx';
import { KINDS, kindWithArticle, type ThreadKind } from '../ui/kinds.ts';
import { lazyWithRetry } from '../ui/lazy.ts';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import styles from './new-thread.module.css';
import type { TypedAhead } from './overlays.tsx';

const ExchangeSetup = lazyWithRetry(async () => (await import('../rooms/exchange/terms/setup.tsx')).ExchangeSetup);
const FORM = 'new-thread';

interface NewThreadDialogProps {
  readonly title: string;
  /** Gives what was typed before the field was there. */
  takeTyped(): TypedAhead;
  /** The kind that is selected at first. */
  readonly kind: string | undefined;
  onClose(): void;
}

/** Creates a thread in one step; without a title it is named by the time. An exchange may also get its terms. */
export function NewThreadDialog({ title, takeTyped, kind, onClose }: NewThreadDialogProps) {
  const { attempt, busy, refusal } = useAttempt();
  const [typed] = useState(takeTyped);
  // The form appears later than this dialog: it stands in a layer of its own.
  const submitTyped = useCallback(
    (form: HTMLFormElement | null) => {
      if (form && typed.isSent) queueMicrotask(() => form.requestSubmit());
    },
    [typed],
  );
  const [selectedKind, setSelectedKind] = useState<ThreadKind>(
    KINDS.find((each) => each.kind === kind)?.kind ?? 'conversation',
  );
  const [problem, setProblem] = useState<string>();

  async function create(data: FormData): Promise<void> {
    const setup: ExchangeSetupResult =
      selectedKind === 'exchange'
        ? (await import('../rooms/exchange/terms/setup.tsx')).readSetupForm(data)
        : { setup: {} };
    setProblem('problem' in setup ? setup.problem : undefined);
    if ('problem' in setup) return;
    const isCreated = await attempt(() => startThread(selectedKind, String(data.get('title') ?? '').trim(), setup));
    if (isCreated) onClose();
  }

  const footer = (
    <>
      <Button kind="quiet" onClick={onClose}>
        Cancel
      </Button>
      <Button kind="primary" type="submit" form={FORM} shortcut="↵" disabled={busy}>
        Begin
      </Button>
    </>
  );
  return (
    <Dialog title="New" size="large" footer={footer} onClose={onClose}>
      <form ref={submitTyped} id={FORM} className={styles.form} aria-label="New thread" onSubmit={handleSubmit(create)}>
        <input
          ref={focusOnMount}
          name="title"
          className={styles.title}
          aria-label="Title"
          placeholder="What is it about?"
          dir="auto"
          defaultValue={title + typed.text}
          maxLength={200}
          autoComplete="off"
        />
        <fieldset className={styles.kinds} aria-label="Kind">
          {KINDS.map(({ kind: each, one, is }) => (
            <label key={each} className={styles.kind}>
              <KindIcon kind={each} size={20} />
              <span>
                <b>{one}</b>
                <small>{is}</small>
              </span>
              <input
                type="radio"
                name="kind"
                value={each}
                aria-label={`${kindWithArticle(each)}: ${is}`}
                checked={each === selectedKind}
                onChange={() => setSelectedKind(each)}
              />
            </label>
          ))}
        </fieldset>
        {selectedKind === 'exchange' && (
          <Suspense fallback={null}>
            <ExchangeSetup />
          </Suspense>
        )}
        <RefusalMessage reason={problem ?? refusal} />
      </form>
    </Dialog>
  );
}
