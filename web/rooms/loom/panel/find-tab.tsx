import { useDeferredValue, useMemo, useState } from 'react';
import { searchLoom } from '../../../../src/core/loom/search.ts';
import type { LoomState } from '../../../../src/core/loom/state.ts';
import { useStore } from '../../../data/store.ts';
import { TextField } from '../../../ui/controls/field.tsx';
import { Segments } from '../../../ui/controls/segments.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { goToNode, type OpenLoom } from '../loom.ts';
import styles from './panel.module.css';

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
    <section className={styles.section} data-loom-find>
      <TextField
        label="Find in this loom"
        placeholder="Words"
        value={text}
        dir="auto"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && hits[0]) void goToNode(loom, hits[0].node, hits[0].start);
          if (event.key === 'Escape') loom.editor?.view.focus();
        }}
      />
      <div>
        <Segments
          label="Where to find"
          value={where}
          options={[
            { value: 'path', label: 'In the text' },
            { value: 'tree', label: 'In the whole tree' },
          ]}
          onChange={setWhere}
        />
      </div>
      {query !== '' && hits.length === 0 && <p className={styles.soft}>No node contains all of these words.</p>}
      <ul className={styles.results}>
        {hits.map(({ node, start, excerpt, on_path }) => (
          <li key={node}>
            <button type="button" className={styles.result} onClick={() => void goToNode(loom, node, start)} dir="auto">
              {escapeBidi(excerpt)}
              {!on_path && <small> · another branch</small>}
            </button>
          </li>
        ))}
      </ul>
      {more && <p className={styles.soft}>There are more results. Add a word.</p>}
      {bookmarks.length > 0 && (
        <>
          <h3>Bookmarks and tags</h3>
          <ul className={styles.results}>
            {bookmarks.map(({ node, words: name }) => (
              <li key={node}>
                <button type="button" className={styles.result} onClick={() => void goToNode(loom, node)} dir="auto">
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
