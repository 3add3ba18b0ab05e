import type { WireThreadState } from '../../../../src/client/index.ts';
import { CatchUpDialog } from '../catch-up.tsx';
import type { OpenThread } from '../data/thread.ts';
import { InviteDialog } from './invite.tsx';
import type { ThreadDialog } from './open-dialog.ts';
import { PersonDialog } from './person.tsx';
import { ThreadSettings } from './settings.tsx';
import { CloseSideDialog, OpenSideDialog } from './side-channel.tsx';

interface ThreadDialogsProps {
  readonly dialog: ThreadDialog;
  readonly thread: OpenThread;
  readonly state: WireThreadState;
  /** The newest seq that had been seen. */
  readonly unreadAfter: number;
  onClose(): void;
}

/** The dialog that is open over a thread. */
export function ThreadDialogs({ dialog, thread, state, unreadAfter, onClose }: ThreadDialogsProps) {
  const props = { thread, state, onClose };
  switch (dialog.kind) {
    case 'invite':
      return <InviteDialog {...props} />;
    case 'settings':
      return <ThreadSettings {...props} about={dialog.about} />;
    case 'side':
      return <OpenSideDialog {...props} />;
    case 'close-side':
      return <CloseSideDialog thread={thread} onClose={onClose} />;
    case 'catch-up':
      return <CatchUpDialog thread={thread} after={unreadAfter} onClose={onClose} />;
    case 'person': {
      const known = state.participants.find(({ id }) => id === dialog.id);
      const participant = known ?? { id: dialog.id, invited: false, muted: null, profile: {} };
      return <PersonDialog participant={participant} onClose={onClose} />;
    }
  }
}
