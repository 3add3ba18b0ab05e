import { useDeferredValue, useMemo, useState } from 'react';
import { searchLoom } from '../../../../src/core/loom/search.ts';
import type { LoomState } from '../../../../src/core/loom/state.ts';
import { useStore } from '../../../data/store.ts';
import { visible } from '../../../ui/text/visible.ts';
import { goAndShow, type Loom } from '../loom.ts';

const SHOWN = 50;

/** Finds words in the text or in the whole tree, and lists what is bookmarked or tagged (W22). */
export function FindIn({ loom }: { readonly loom: Loom }) {
  const state = useStore(loom.replica.loom);
  const [words, setWords] = useState('');
  const [where, setWhere] = useState<'path' | 'tree'>('path');
  const wanted = useDeferredValue(words.trim());
  const { found, more } = useMemo(
    () => (wanted === '' ? { found: [], more: false } : searchLoom(state, loom.me, wanted, where, SHOWN)),
    [state, loom, wanted, where],
  );
  const marked = useMemo(() => marksOf(state), [state]);

  return (
    <section className="find-in">
      <input
        className="loom-find"
        aria-label="Find in this loom"
        placeholder="Words"
        value={words}
        dir="auto"
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && found[0]) void goAndShow(loom, found[0].node, found[0].start);
          if (event.key === 'Escape') loom.editor?.view.focus();
        }}
      />
      <p className="find-where">
        {(['path', 'tree'] as const).map((each) => (
          <button key={each} type="button" className="act" aria-pressed={where === each} onClick={() => setWhere(each)}>
            {each === 'path' ? 'In the text' : 'In the whole tree'}
          </button>
        ))}
      </p>
      {wanted !== '' && found.length === 0 && <p className="soft">No node has all of these words.</p>}
      <ul className="finds">
        {found.map(({ node, start, excerpt, on_path }) => (
          <li key={node}>
            <button type="button" onClick={() => void goAndShow(loom, node, start)} dir="auto">
              {visible(excerpt)}
              {!on_path && <span className="soft"> · another branch</span>}
            </button>
          </li>
        ))}
      </ul>
      {more && <p className="soft">There are more: add a word.</p>}
      {marked.length > 0 && (
        <>
          <h2>Bookmarks and tags</h2>
          <ul className="finds">
            {marked.map(({ node, words: name }) => (
              <li key={node}>
                <button type="button" onClick={() => void goAndShow(loom, node)} dir="auto">
                  {visible(name)}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function marksOf(state: LoomState): readonly { readonly node: string; readonly words: string }[] {
  const graph = state.graph.look();
  const found: { node: string; words: string }[] = [];
  for (const [index, { bookmark, tags }] of graph.marks) {
    const words = [bookmark, ...(tags ?? []).map((tag) => `#${tag}`)].filter(Boolean).join('  ');
    if (words !== '') found.push({ node: graph.ids[index]!, words });
  }
  return found;
}
