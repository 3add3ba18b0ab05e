import type { LucideIcon } from 'lucide-react';

export type Icon = LucideIcon;

/** An icon beside a word or in a button, which give it its name. */
export function Glyph({ icon: Lucide, size = 16 }: { readonly icon: Icon; readonly size?: number }) {
  return <Lucide size={size} strokeWidth={1.75} aria-hidden="true" focusable="false" />;
}
