import { useDeferredValue, useMemo, useState } from 'react';
import { searchLoom } from '../../../../src/core/loom/search.ts';
import type { LoomState } from '../../../../src/core/loom/state.ts';
import { useStore } from '../../../data/store.ts';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { goToNode, type OpenLoom } from '../loom.ts';

const MAX_RESULTS = 50;

/** Searches the text or the whole tree, and lists bookmarked and tagged nodes (W22). */
export function FindTab({ loom }: { readonly loom: OpenLoom }) {
  const state = useStore(loom.replica.loom);
  const [text, setText] = useState('');
  const [where, setWhere] = useState<'path' | 'tree'>('path');
  const query = useDeferredValue(text.trim());
  const { found: hits, more } = useMemo(
    () => (query === '' ? { found: [], more: false } : searchLoom(state, loom.me, query, where, MAX_RESULTS)),
    [state, loom, query, where],
  );
  const bookmarks = useMemo(() => bookmarksIn(state), [state]);

  return (
    <section className="find-in">
      <input
        className="loom-find"
        aria-label="Find in this loom"
        placeholder="Words"
        value={text}
        dir="auto"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && hits[0]) void goToNode(loom, hits[0].node, hits[0].start);
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
      {query !== '' && hits.length === 0 && <p className="soft">No node has all of these words.</p>}
      <ul className="finds">
        {hits.map(({ node, start, excerpt, on_path }) => (
          <li key={node}>
            <button type="button" onClick={() => void goToNode(loom, node, start)} dir="auto">
              {escapeBidi(excerpt)}
              {!on_path && <span className="soft"> · another branch</span>}
            </button>
          </li>
        ))}
      </ul>
      {more && <p className="soft">There are more: add a word.</p>}
      {bookmarks.length > 0 && (
        <>
          <h2>Bookmarks and tags</h2>
          <ul className="finds">
            {bookmarks.map(({ node, words: name }) => (
              <li key={node}>
                <button type="button" onClick={() => void goToNode(loom, node)} dir="auto">
                  {escapeBidi(name)}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function bookmarksIn(state: LoomState): readonly { readonly node: string; readonly words: string }[] {
  const graph = state.graph.read();
  const bookmarks: { node: string; words: string }[] = [];
  for (const [index, { bookmark, tags }] of graph.marks) {
    const label = [bookmark, ...(tags ?? []).map((tag) => `#${tag}`)].filter(Boolean).join('  ');
    if (label !== '') bookmarks.push({ node: graph.ids[index]!, words: label });
  }
  return bookmarks;
}
