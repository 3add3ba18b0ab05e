import { Network, Settings2 } from 'lucide-react';
import { useId, useState } from 'react';
import type { ExchangeStatus, TermValues } from '../../../../src/client/index.ts';
import { useStore } from '../../../data/store.ts';
import { useActions } from '../../../shell/actions.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/floating/dialog.tsx';
import { handleSubmit } from '../../../ui/handle-submit.ts';
import { RefusalMessage, useAttempt } from '../../../ui/refusal.tsx';
import { EmptyState } from '../../../ui/status/empty-state.tsx';
import type { LiveExchange } from '../live-exchange.ts';
import { hasChanges, labelRefusal } from './amend-form.tsx';
import { readTermsForm } from './draft.ts';
import { TermsFields } from './fields.tsx';

interface SetupCardProps {
  readonly exchange: LiveExchange;
  readonly status: ExchangeStatus;
}

/** An exchange that has not begun: what will happen, and its set-up (X21). */
export function SetupCard({ exchange, status }: SetupCardProps) {
  const [isOpen, setOpen] = useState(false);
  const terms = useStore(exchange.terms)?.versions[0]?.terms;
  const canSetUp = !status.control && !status.halted && terms !== undefined;
  useActions('This exchange', [{ name: 'Set up', keys: ['e'], act: () => setOpen(true), when: canSetUp }]);
  const mindCount = status.minds.length;
  return (
    <>
      <EmptyState
        icon={Network}
        title="No round has run yet"
        text={`In each round, ${mindCount === 1 ? 'the mind adds' : `${mindCount} minds add`} thoughts to a shared pool. Every few rounds the auditor writes you a letter about it, and you decide how it continues.`}
        actions={
          canSetUp && (
            <Button icon={Settings2} shortcut="e" onClick={() => setOpen(true)}>
              Set up
            </Button>
          )
        }
      />
      {isOpen && terms && <SetupDialog exchange={exchange} terms={terms} onClose={() => setOpen(false)} />}
    </>
  );
}

interface SetupDialogProps {
  readonly exchange: LiveExchange;
  readonly terms: TermValues;
  onClose(): void;
}

function SetupDialog({ exchange, terms, onClose }: SetupDialogProps) {
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
