import { requestBring, requestOpen } from './requests.ts';

/** Stands beside a text: it can become a loom or a dialogue, or go into a thread that is there. */
export function TransferButtons({ link }: { readonly link: string }) {
  return (
    <>
      <button type="button" className="act" title="l" onClick={() => requestOpen(link)}>
        Open as…
      </button>{' '}
      <button type="button" className="act" title="b" onClick={() => requestBring(link)}>
        Bring to…
      </button>
    </>
  );
}
