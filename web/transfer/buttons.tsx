import { ActionButton } from '../ui/action-button.tsx';
import { requestBring, requestOpen } from './requests.ts';

/** Stands beside a text: it can become a loom or a dialogue, or go into a thread that is there. */
export function TransferButtons({ link }: { readonly link: string }) {
  return (
    <>
      <ActionButton title="l" onClick={() => requestOpen(link)}>
        Open as…
      </ActionButton>{' '}
      <ActionButton title="b" onClick={() => requestBring(link)}>
        Bring to…
      </ActionButton>
    </>
  );
}
