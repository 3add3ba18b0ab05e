import { useId, useState } from 'react';
import type { TermValues } from '../../../../src/client/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/floating/dialog.tsx';
import { handleSubmit } from '../../../ui/handle-submit.ts';
import { RefusalMessage, useAttempt } from '../../../ui/refusal.tsx';
import type { LiveExchange } from '../live-exchange.ts';
import { hasChanges, labelRefusal } from './amend-form.tsx';
import { readTermsForm } from './draft.ts';
import { TermsFields } from './fields.tsx';

interface SetupDialogProps {
  readonly exchange: LiveExchange;
  readonly terms: TermValues;
  onClose(): void;
}

/** The question, minds, models and auditor, before round 1 (X21). */
export function SetupDialog({ exchange, terms, onClose }: SetupDialogProps) {
  const formId = useId();
  const { attempt, busy, refusal } = useAttempt();
  const [problem, setProblem] = useState<string>();

  async function save(form: FormData, isStarting: boolean): Promise<void> {
    const draft = readTermsForm(form, terms);
    setProblem('problem' in draft ? draft.problem : undefined);
    if ('problem' in draft) return;
    const done = await attempt(async () => {
      if (hasChanges(draft)) await exchange.remote.command('amend', { set: draft.set });
      if (isStarting) await exchange.remote.command('run', {});
      return true;
    });
    if (done) onClose();
  }

  const message = problem ?? (refusal && labelRefusal(refusal));
  return (
    <Dialog
      title="Set up the exchange"
      size="large"
      onClose={onClose}
      footer={
        <>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={busy}
            onClick={() => void save(new FormData(document.getElementById(formId) as HTMLFormElement), false)}
          >
            Save
          </Button>
          <Button kind="primary" type="submit" form={formId} disabled={busy} shortcut="Ctrl Enter">
            Start round 1
          </Button>
        </>
      }
    >
      <form
        id={formId}
        aria-label="Set up the exchange"
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
        }}
        onSubmit={handleSubmit((form) => save(form, true))}
      >
        <TermsFields terms={terms} before={terms} />
        <RefusalMessage reason={message} />
      </form>
    </Dialog>
  );
}
