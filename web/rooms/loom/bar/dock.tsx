import { useStore } from '../../../data/store.ts';
import type { LoomActions } from '../actions.ts';
import type { OpenLoom } from '../loom.ts';
import shelfStyles from '../shelf/shelf.module.css';
import { isShelfAtEnd, Shelf } from '../shelf/shelf.tsx';
import { ActionBar } from './action-bar.tsx';
import styles from './bar.module.css';
import { DockNotes } from './notes.tsx';
import { AuthorsBar, ProbabilitiesBar } from './view-bars.tsx';

interface DockProps {
  readonly loom: OpenLoom;
  readonly actions: LoomActions;
}

/** Below the text: what there is to say about it, and the bar of the view. */
export function Dock({ loom, actions }: DockProps) {
  const view = useStore(loom.view);
  return (
    <footer className={styles.dock}>
      <FloatingShelf loom={loom} actions={actions} />
      <DockNotes loom={loom} />
      {view === 'write' && <ActionBar loom={loom} actions={actions} />}
      {view === 'authors' && <AuthorsBar loom={loom} />}
      {view === 'probabilities' && <ProbabilitiesBar loom={loom} />}
    </footer>
  );
}

/** The shelf of a branch point or of versions further up in the text. */
function FloatingShelf({ loom, actions }: DockProps) {
  const state = useStore(loom.shelf.state);
  useStore(loom.session.revision);
  const view = useStore(loom.view);
  if (!state || view !== 'write' || isShelfAtEnd(loom, state)) return null;
  return (
    <div className={shelfStyles.floating}>
      <Shelf loom={loom} actions={actions} state={state} />
    </div>
  );
}
