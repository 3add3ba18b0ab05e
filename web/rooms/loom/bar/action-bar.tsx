import { Sparkles, Undo2 } from 'lucide-react';
import { useStore } from '../../../data/store.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { useIsNarrow } from '../../../ui/sheet.tsx';
import { StopIcon } from '../../../ui/stop-icon.tsx';
import type { LoomActions } from '../actions.ts';
import { bindingsOf, formatBinding } from '../keymap.ts';
import type { OpenLoom } from '../loom.ts';
import styles from './bar.module.css';
import { LengthMenu } from './length-menu.tsx';
import { ModelMenu } from './model-menu.tsx';
import { MoreMenu } from './more-menu.tsx';

/** Generates more, by whom and how much, stops it, undoes, and leads to everything else. */
export function ActionBar({ loom, actions }: { readonly loom: OpenLoom; readonly actions: LoomActions }) {
  const { openGenerations } = useStore(loom.replica.loom);
  const bindings = bindingsOf(useStore(loom.keySettings));
  const isNarrow = useIsNarrow();
  const isWriting = openGenerations.some(
    ({ stopping, request }) => !stopping && request.requester === loom.me && request.exploration === undefined,
  );
  return (
    // A press keeps the caret in the text, so that the next key goes there.
    // biome-ignore lint/a11y/noStaticElementInteractions: only where the focus goes is changed
    <div className={styles.bar} onMouseDown={(event) => event.preventDefault()}>
      <Button
        kind="primary"
        icon={Sparkles}
        className={styles.generate}
        shortcut={formatBinding(bindings.generate)}
        onClick={actions.actions.generate}
      >
        Generate
      </Button>
      <LengthMenu loom={loom} />
      <ModelMenu loom={loom} />
      <span className={styles.push} />
      {isWriting &&
        (isNarrow ? (
          <IconButton kind="secondary" icon={StopIcon} label="Stop" onClick={actions.actions.stop} />
        ) : (
          <Button icon={StopIcon} shortcut={formatBinding(bindings.stop)} onClick={actions.actions.stop}>
            Stop
          </Button>
        ))}
      <IconButton icon={Undo2} label="Undo" shortcut={formatBinding(bindings.undo)} onClick={actions.actions.undo} />
      <MoreMenu loom={loom} actions={actions} />
    </div>
  );
}
