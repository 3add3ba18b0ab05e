import { Paperclip } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Glyph } from '../../ui/icon.tsx';
import styles from './drop-target.module.css';

/** Takes files dropped anywhere on the page while its room is open, and says so while they are dragged over it. */
export function DropTarget({ onFiles }: { onFiles(files: readonly File[]): void }) {
  const [isOver, setOver] = useState(false);
  const handler = useRef(onFiles);
  handler.current = onFiles;

  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    // Another part of the page may have taken it, as a loom takes its files.
    const isForUs = (event: DragEvent) => !event.defaultPrevented && event.dataTransfer?.types.includes('Files');
    addEventListener(
      'dragover',
      (event) => {
        if (!isForUs(event)) return;
        event.preventDefault();
        setOver(true);
      },
      { signal },
    );
    addEventListener('dragleave', (event) => event.relatedTarget === null && setOver(false), { signal });
    addEventListener(
      'drop',
      (event) => {
        setOver(false);
        if (!isForUs(event)) return;
        event.preventDefault();
        handler.current([...(event.dataTransfer?.files ?? [])]);
      },
      { signal },
    );
    return () => listening.abort();
  }, []);

  if (!isOver) return null;
  return (
    <div className={styles.over}>
      <p>
        <Glyph icon={Paperclip} size={20} />
        Drop files to attach them
      </p>
    </div>
  );
}
