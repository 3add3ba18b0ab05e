import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactNode } from 'react';
import { Toasts } from './floating/toast.tsx';

/** What the parts need around them. The page's policy allows no style elements, so none are made. */
export function UiRoot({ children }: { readonly children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements={true}>
      <Tooltip.Provider delay={400}>
        {children}
        <Toasts />
      </Tooltip.Provider>
    </CSPProvider>
  );
}
