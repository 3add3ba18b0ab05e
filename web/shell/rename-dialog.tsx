import { useState } from 'react';
import type { ThreadRow } from '../../src/client/index.ts';
import { Button } from '../ui/controls/button.tsx';
import { Dialog } from '../ui/floating/dialog.tsx';
import { kindName } from '../ui/kinds.ts';
import type { TypedAhead } from './overlays.tsx';
import { RENAME_FORM, RenameForm } from './rename-thread.tsx';

interface RenameDialogProps {
  readonly row: ThreadRow;
  /** Gives what was typed before the field was there. */
  takeTyped?(): TypedAhead;
  onClose(): void;
}

/** Renames the open thread. */
export function RenameDialog({ row, takeTyped, onClose }: RenameDialogProps) {
  const [typed] = useState(() => takeTyped?.());
  const footer = (
    <>
      <Button kind="quiet" onClick={onClose}>
        Cancel
      </Button>
      <Button kind="primary" type="submit" form={RENAME_FORM}>
        Rename
      </Button>
    </>
  );
  return (
    <Dialog title={`Rename this ${kindName(row.kind)}`} footer={footer} onClose={onClose}>
      <RenameForm thread={row} typed={typed} onDone={onClose} />
    </Dialog>
  );
}
