import type { ComponentProps } from 'react';

/** A button in the look that all of them share. */
export function ActionButton(props: ComponentProps<'button'>) {
  return <button type="button" className="act" {...props} />;
}
