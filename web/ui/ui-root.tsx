import { CSPProvider } from '@base-ui/react/csp-provider';
import type { ReactNode } from 'react';
import { Toasts } from './floating/toast.tsx';
import { Tooltips } from './floating/tooltip.tsx';

/** What the parts need around them. The page's policy allows no style elements, so none are made. */
export function UiRoot({ children }: { readonly children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements={true}>
      {children}
      <Tooltips />
      <Toasts />
    </CSPProvider>
  );
}
