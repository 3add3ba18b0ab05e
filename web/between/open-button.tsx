import { openElsewhere } from './asked.ts';

/** Stands beside a text: it can become a loom or a dialogue. */
export function OpenButton({ link }: { readonly link: string }) {
  return (
    <button type="button" className="act" title="l" onClick={() => openElsewhere(link)}>
      Open as…
    </button>
  );
}
