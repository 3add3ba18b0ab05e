import { useEffect, useMemo, useRef, useState } from 'react';
import { viewTree } from '../../../../src/core/loom/tree.ts';
import type { TreeView } from '../../../../src/core/loom/view-schema.ts';
import { useStore } from '../../../data/store.ts';
import type { EditSession } from '../session/edit-session.ts';

/** A tree with more nodes than this is read again at most every LARGE_TREE_MS. */
const LARGE_TREE = 5_000;
const LARGE_TREE_MS = 600;

/** The whole tree as it is now. */
export function useTree(session: EditSession): TreeView {
  const tick = useTick(session);
  return useMemo(() => {
    void tick;
    // Read the newest state: reading an older one would take the shared arrays away from it.
    return viewTree(session.replica.loom.get(), session.me, 0, Number.MAX_SAFE_INTEGER);
  }, [tick, session]);
}

/** Changes with the loom; delayed for a large one, so that not every event costs all of it. */
function useTick(session: EditSession): unknown {
  const loom = useStore(session.replica.loom);
  const [shownTick, setShownTick] = useState(loom.nodes);
  const isLarge = loom.nodes > LARGE_TREE;
  const tick = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the loom counts
  useEffect(() => {
    if (!isLarge) return;
    const timer = setTimeout(() => setShownTick(--tick.current), LARGE_TREE_MS);
    return () => clearTimeout(timer);
  }, [loom, isLarge]);
  return isLarge ? shownTick : loom;
}
