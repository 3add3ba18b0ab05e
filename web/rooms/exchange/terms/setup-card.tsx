import { Network, Settings2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { ExchangeStatus } from '../../../../src/client/index.ts';
import { useStore } from '../../../data/store.ts';
import { useActions } from '../../../shell/actions.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { lazyWithRetry } from '../../../ui/lazy.ts';
import { EmptyState } from '../../../ui/status/empty-state.tsx';
import type { LiveExchange } from '../live-exchange.ts';

const SetupDialog = lazyWithRetry(async () => (await import('./setup-dialog.tsx')).SetupDialog);

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
      <Suspense fallback={<div data-modal="" />}>
        {isOpen && terms && <SetupDialog exchange={exchange} terms={terms} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
