import { useState } from 'react';
import { diffWords } from '../../../src/core/text/diff.ts';
import { Sheet } from '../../ui/sheet.tsx';
import { visible } from '../../ui/text/visible.ts';
import type { Loom } from './loom.ts';

interface SidesProps {
  readonly loom: Loom;
  readonly node: string;
  onClose(): void;
}

/** Branches or versions beside each other, with what differs from the one in the text; a part can be taken over. */
export function Sides({ loom, node, onClose }: SidesProps) {
  const { desk, wheel } = loom;
  const branches = wheel.allAt(node, 'branch');
  const all = branches.length > 1 ? branches : wheel.allAt(node, 'version');
  const own = desk.textOf(node);
  const [picked, setPicked] = useState<{ source: string; start: number; end: number }>();

  async function take(): Promise<void> {
    if (!picked) return;
    onClose();
    const at = desk.textOf(node).length;
    await desk.command('cherry_pick', { node, from: at, to: at, ...picked });
  }

  return (
    <Sheet label="Side by side" onClose={onClose}>
      <h2>Side by side</h2>
      <p className="soft">
        What only the other says is marked. Select a part of it to take it into the text; where it came from is
        recorded.
      </p>
      <div className="sides">
        {all.map((id, index) => (
          <article key={id} aria-label={`${index + 1} of ${all.length}`} data-side={id}>
            <p className="sides-head">
              {index + 1}/{all.length}{' '}
              {id === node ? (
                <span className="soft">in the text</span>
              ) : (
                <button
                  type="button"
                  className="act"
                  onClick={() => {
                    onClose();
                    void desk.goTo(id);
                  }}
                >
                  Show this
                </button>
              )}
            </p>
            {/* biome-ignore lint/a11y/noStaticElementInteractions: it only hears what is selected in it */}
            <div
              className="sides-text"
              dir="auto"
              onMouseUp={(event) => id !== node && setPicked(selected(event.currentTarget, id, desk.textOf(id)))}
              onKeyUp={(event) => id !== node && setPicked(selected(event.currentTarget, id, desk.textOf(id)))}
            >
              {id === node ? visible(own) : <Differing before={own} after={desk.textOf(id)} />}
            </div>
          </article>
        ))}
      </div>
      <p className="sides-foot">
        <button type="button" className="dock-main" disabled={!picked} onClick={() => void take()}>
          Take what is selected
        </button>{' '}
        <button type="button" className="act" onClick={onClose}>
          Close
        </button>
      </p>
    </Sheet>
  );
}

function Differing({ before, after }: { readonly before: string; readonly after: string }) {
  return diffWords(before, after)
    .filter(({ kind }) => kind !== 'delete')
    .map(({ kind, text }, index) =>
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text in order
      kind === 'insert' ? <ins key={index}>{visible(text)}</ins> : <span key={index}>{visible(text)}</span>,
    );
}

function selected(element: HTMLElement, source: string, text: string) {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || !element.contains(selection.anchorNode)) return undefined;
  const range = selection.getRangeAt(0);
  const before = document.createRange();
  before.setStart(element, 0);
  before.setEnd(range.startContainer, range.startOffset);
  const start = before.toString().length;
  return { source, start: unseen(text, start), end: unseen(text, start + range.toString().length) };
}

/** An offset of the text as it is, from one of the text with what reorders it spelled out. */
function unseen(text: string, shown: number): number {
  let [at, seen] = [0, 0];
  for (; at < text.length && seen < shown; at++) seen += visible(text.charAt(at)).length;
  return at;
}
