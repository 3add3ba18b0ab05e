import { GitBranch, MessagesSquare, PenLine, Shapes, Waypoints } from 'lucide-react';
import { Glyph, type Icon } from './icon.tsx';

const ICONS: Readonly<Record<string, Icon>> = {
  conversation: MessagesSquare,
  dialogue: PenLine,
  exchange: Waypoints,
  loom: GitBranch,
};

export function iconOfKind(kind: string): Icon {
  return Object.hasOwn(ICONS, kind) ? (ICONS[kind] as Icon) : Shapes;
}

/** The icon of a kind of thread, the same wherever its threads are listed. */
export function KindIcon({ kind, size = 16 }: { readonly kind: string; readonly size?: number }) {
  return <Glyph icon={iconOfKind(kind)} size={size} />;
}
