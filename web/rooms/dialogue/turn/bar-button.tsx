import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { Tooltip } from '../../../ui/floating/tooltip.tsx';
import type { Icon } from '../../../ui/icon.tsx';
import { useIsNarrow } from '../../../ui/sheet.tsx';

interface BarButtonProps {
  readonly icon: Icon;
  readonly label: string;
  readonly shortcut?: string;
  readonly isQuiet?: boolean;
  /** Left out on a phone. */
  readonly isOnlyWide?: boolean;
  onPress(): void;
}

/** An icon and a word; on a phone the icon alone. */
export function BarButton({ icon, label, shortcut, isQuiet = false, isOnlyWide = false, onPress }: BarButtonProps) {
  const isNarrow = useIsNarrow();
  const kind = isQuiet ? 'quiet' : 'secondary';
  if (isNarrow && isOnlyWide) return null;
  if (isNarrow) return <IconButton kind={kind} icon={icon} label={label} shortcut={shortcut} onClick={onPress} />;
  return (
    <Tooltip label={label} shortcut={shortcut}>
      <Button kind={kind} icon={icon} aria-keyshortcuts={shortcut} onClick={onPress}>
        {label}
      </Button>
    </Tooltip>
  );
}
