import { addRow } from '../../data/workspace.ts';
import { navigate } from '../../shell/address.ts';
import { TextField } from '../../ui/controls/field.tsx';
import { Dialog } from '../../ui/floating/dialog.tsx';
import type { LiveExchange } from './live-exchange.ts';
import { ReasonForm } from './reason-form.tsx';

/** An action on the whole exchange. */
export type ExchangeAction = 'branch' | 'control' | 'halt';

const WORDS: Readonly<
  Record<ExchangeAction, { readonly title: string; readonly text: string; readonly send: string }>
> = {
  branch: {
    title: 'Branch',
    text: 'A branch continues from here. This exchange stays unchanged.',
    send: 'Create the branch',
  },
  control: {
    title: 'Control branch',
    text: 'The same minds continue from here without your input, for comparison.',
    send: 'Start the control branch',
  },
  halt: {
    title: 'Halt',
    text: 'This exchange ends. You can still branch it or roll it back.',
    send: 'Halt the exchange',
  },
};

interface ActionDialogProps {
  readonly exchange: LiveExchange;
  readonly action: ExchangeAction;
  onClose(): void;
}

export function ActionDialog({ exchange, action, onClose }: ActionDialogProps) {
  const { title, text, send } = WORDS[action];

  async function branch(reason: string, form: FormData): Promise<unknown> {
    const branchTitle = String(form.get('title') ?? '').trim();
    const rounds = Number(form.get('rounds') || 0);
    const outcome = await exchange.remote.command('branch', {
      ...(branchTitle && { title: branchTitle }),
      ...(reason && { reason }),
      ...(action === 'control' && { control: true as const }),
      ...(rounds > 0 && { rounds }),
    });
    addRow(outcome.thread);
    navigate(`/exchange/${encodeURIComponent(outcome.thread.id)}`);
    return outcome;
  }

  return (
    <Dialog title={title} description={text} onClose={onClose}>
      <ReasonForm
        label={title}
        sendLabel={send}
        storageKey={`${exchange.id}.${action}`}
        isOptional={action !== 'halt'}
        onSend={action === 'halt' ? (reason) => exchange.remote.command('halt', { reason }) : branch}
        onClose={onClose}
      >
        {action !== 'halt' && (
          <>
            <TextField
              label="Title"
              name="title"
              placeholder="Optional"
              maxLength={200}
              dir="auto"
              autoComplete="off"
            />
            <TextField
              label="Rounds to run now"
              name="rounds"
              type="number"
              min={1}
              max={100_000}
              placeholder="None"
              autoComplete="off"
            />
          </>
        )}
      </ReasonForm>
    </Dialog>
  );
}
