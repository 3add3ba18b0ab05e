import { ActionButton } from '../ui/action-button.tsx';
import { requestBring, requestOpen } from './requests.ts';

/** Buttons next to a text: open it as a loom or a dialogue, or send it to an existing thread. */
export function TransferButtons({ link }: { readonly link: string }) {
  return (
    <>
      <ActionButton title="l" onClick={() => requestOpen(link)}>
        Open as…
      </ActionButton>{' '}
      <ActionButton title="b" onClick={() => requestBring(link)}>
        Send to…
      </ActionButton>
    </>
  );
}
