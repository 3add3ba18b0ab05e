import { bringElsewhere, openElsewhere } from './requests.ts';

/** Stands beside a text: it can become a loom or a dialogue, or go into a thread that is there. */
export function Elsewhere({ link }: { readonly link: string }) {
  return (
    <>
      <button type="button" className="act" title="l" onClick={() => openElsewhere(link)}>
        Open as…
      </button>{' '}
      <button type="button" className="act" title="b" onClick={() => bringElsewhere(link)}>
        Bring to…
      </button>
    </>
  );
}
