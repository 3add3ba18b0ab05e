import type { ComponentProps, ReactNode } from 'react';
import { useStore } from '../data/store.ts';
import { threadRows } from '../data/workspace.ts';
import { ListButton, PanelButton } from '../shell/frame.tsx';
import { TrailLine } from '../transfer/trail.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { DiscussionNote } from './discussion-link.tsx';
import { ImportedNote } from './imported-note.tsx';

interface RoomHeaderProps extends ComponentProps<typeof TrailLine> {
  readonly className?: string;
  readonly panelLabel: string;
  /** Content below the title. */
  readonly children: ReactNode;
  readonly link?: ReactNode;
}

/** The header of a room that shows more than a conversation. */
export function RoomHeader({ className = 'head', panelLabel, children, link, ...trail }: RoomHeaderProps) {
  const title = escapeBidi(useStore(threadRows)?.get(trail.id)?.title ?? '');
  return (
    <header className={className}>
      <ListButton />
      <div className="head-words">
        <h1 dir="auto" title={title}>
          {title}
        </h1>
        {children}
        <TrailLine {...trail} />
        <DiscussionNote id={trail.id} />
        <ImportedNote id={trail.id} />
      </div>
      {link}
      <PanelButton label={panelLabel} />
    </header>
  );
}
