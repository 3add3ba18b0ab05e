import { useState } from 'react';
import { diffWords } from '../../../src/core/text/diff.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { escapeBidi } from '../../ui/text/escape-bidi.ts';
import type { OpenLoom } from './loom.ts';
import styles from './side-by-side.module.css';

interface SideBySideProps {
  readonly loom: OpenLoom;
  readonly node: string;
  onClose(): void;
}

/**
 * Shows branches or versions side by side with their differences from the one in the text; a part can be copied over.
 */
export function SideBySide({ loom, node, onClose }: SideBySideProps) {
  const { session, shelf } = loom;
  const branches = shelf.alternativesAt(node, 'branch');
  const alternatives = branches.length > 1 ? branches : shelf.alternativesAt(node, 'version');
  const ownText = session.textOf(node);
  const [picked, setPicked] = useState<{ source: string; start: number; end: number }>();

  async function takeSelection(): Promise<void> {
    if (!picked) return;
    onClose();
    const at = session.textOf(node).length;
    await session.command('cherry_pick', { node, from: at, to: at, ...picked });
  }

  return (
    <Dialog
      title="Side by side"
      description="Text that only the other one contains is marked. Select a part to copy it into yours; Heddle records its source."
      size="wide"
      onClose={onClose}
      footer={
        <>
          <Button kind="quiet" onClick={onClose}>
            Close
          </Button>
          <Button kind="primary" disabled={!picked} onClick={() => void takeSelection()}>
            Copy the selection
          </Button>
        </>
      }
    >
      <div className={styles.sides}>
        {alternatives.map((id, index) => (
          <article key={id} aria-label={`${index + 1} of ${alternatives.length}`} data-side={id}>
            <div className={styles.head}>
              {index + 1} of {alternatives.length}
              {id === node ? (
                <span>· in the text</span>
              ) : (
                <Button
                  onClick={() => {
                    onClose();
                    void session.goTo(id);
                  }}
                >
                  Show this
                </Button>
              )}
            </div>
            {/* biome-ignore lint/a11y/noStaticElementInteractions: it only hears what is selected in it */}
            <div
              className={styles.text}
              dir="auto"
              onMouseUp={(event) => id !== node && setPicked(selectionIn(event.currentTarget, id, session.textOf(id)))}
              onKeyUp={(event) => id !== node && setPicked(selectionIn(event.currentTarget, id, session.textOf(id)))}
            >
              {id === node ? escapeBidi(ownText) : <BranchDiff before={ownText} after={session.textOf(id)} />}
            </div>
          </article>
        ))}
      </div>
    </Dialog>
  );
}

function BranchDiff({ before, after }: { readonly before: string; readonly after: string }) {
  return diffWords(before, after)
    .filter(({ kind }) => kind !== 'delete')
    .map(({ kind, text }, index) =>
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text in order
      kind === 'insert' ? <ins key={index}>{escapeBidi(text)}</ins> : <span key={index}>{escapeBidi(text)}</span>,
    );
}

function selectionIn(element: HTMLElement, source: string, text: string) {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || !element.contains(selection.anchorNode)) return undefined;
  const range = selection.getRangeAt(0);
  const before = document.createRange();
  before.setStart(element, 0);
  before.setEnd(range.startContainer, range.startOffset);
  const start = before.toString().length;
  return { source, start: originalOffset(text, start), end: originalOffset(text, start + range.toString().length) };
}

/** Converts an offset in the displayed text, where bidi control characters are spelled out, to one in the original. */
function originalOffset(text: string, visibleOffset: number): number {
  let [at, visibleLength] = [0, 0];
  for (; at < text.length && visibleLength < visibleOffset; at++) visibleLength += escapeBidi(text.charAt(at)).length;
  return at;
}
