import type { ComponentProps } from 'react';

/** A button in the common style. */
export function ActionButton(props: ComponentProps<'button'>) {
  return <button type="button" className="act" {...props} />;
}
