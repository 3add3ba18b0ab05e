import { Ellipsis, Link, Send, SquareArrowOutUpRight } from 'lucide-react';
import { requestBring, requestOpen } from '../transfer/requests.ts';
import { IconButton } from '../ui/controls/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/floating/menu.tsx';
import type { Icon } from '../ui/icon.tsx';
import { copyLink } from './copy-text.ts';

/** A line that a room adds to the menu of a text. */
export interface TextMenuItem {
  readonly icon: Icon;
  readonly label: string;
  readonly shortcut?: string;
  onSelect(): void;
}

interface TextMenuProps {
  readonly link: string;
  readonly items?: readonly TextMenuItem[];
}

/** What is rarely done with a text. */
export function TextMenu({ link, items = [] }: TextMenuProps) {
  return (
    <Menu trigger={<IconButton icon={Ellipsis} label="More" />}>
      {items.map(({ label, ...item }) => (
        <MenuItem key={label} {...item}>
          {label}
        </MenuItem>
      ))}
      {items.length > 0 && <MenuSeparator />}
      <MenuItem icon={Send} shortcut="b" onSelect={() => requestBring(link)}>
        Send to…
      </MenuItem>
      <MenuItem icon={SquareArrowOutUpRight} shortcut="l" onSelect={() => requestOpen(link)}>
        Open as…
      </MenuItem>
      <MenuItem icon={Link} onSelect={() => copyLink(link)}>
        Copy link
      </MenuItem>
    </Menu>
  );
}
