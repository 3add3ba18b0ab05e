import type { FormEvent } from 'react';
import { useStore } from '../store.ts';
import { visible } from '../text/visible.ts';
import { Time } from '../time.tsx';
import type { LoomActions } from './actions.ts';
import { Name } from './head.tsx';
import { bindingsOf, readable } from './keymap.ts';
import type { Loom } from './loom.ts';

interface NodeProps {
  readonly loom: Loom;
  readonly actions: LoomActions;
  onHoist(node: string): void;
}

/** The node the caret is in: what it is, its marks, and what can be done with it. */
export function NodeWords({ loom, actions: { actions }, onHoist }: NodeProps) {
  const { desk } = loom;
  const state = useStore(loom.replica.loom);
  const { node } = useStore(loom.caret);
  const keys = bindingsOf(useStore(loom.keys));
  const entry = node === undefined ? undefined : desk.facts.entry(state, node);
  if (!entry) return <p className="soft">The caret is in text that is not committed yet.</p>;
  const graph = state.graph.look();
  const index = graph.byId.get(entry.node) ?? 0;
  const isMine = entry.author === loom.me && entry.kind === 'human';
  const mark = (body: object) => void desk.command('mark', { node: entry.node, ...body });
  const tags = entry.marks?.tags ?? [];

  function addTag(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const field = event.currentTarget.elements.namedItem('tag') as HTMLInputElement;
    if (field.value.trim() !== '') mark({ tags: [field.value.trim()] });
    field.value = '';
  }

  return (
    <section className="node-words">
      <p>
        <Name author={loom.authors.of(entry.author, entry.kind)} isMe={isMine} />, <Time ts={graph.created[index]!} />
      </p>
      <p className="soft">
        {counted(entry.end - entry.start, 'character')}
        {entry.siblings.length > 1 && `, branch ${entry.siblings.indexOf(entry.node) + 1} of ${entry.siblings.length}`}
        {entry.versions.length > 1 && `, version ${entry.versions.indexOf(entry.node) + 1} of ${entry.versions.length}`}
      </p>
      {entry.stale && <p>Written against an earlier version of what stands before it.</p>}
      {entry.interrupted && <p>It was stopped before it was done.</p>}
      {entry.pruned && <p>This branch is pruned: it is left out of the tree.</p>}
      <ul className="node-acts">
        <Act does={actions.bookmark} keys={keys.bookmark}>
          {entry.marks?.bookmark === undefined ? 'Bookmark' : 'Take the bookmark away'}
        </Act>
        <Act does={actions.split} keys={keys.split}>
          Split at the caret
        </Act>
        <Act does={actions.merge} keys={keys.merge}>
          Merge with the one before
        </Act>
        <Act does={actions.generateHere} keys={keys.generateHere}>
          Continue from the caret
        </Act>
        <Act does={actions.sides} keys={keys.sides}>
          Side by side
        </Act>
        <Act does={() => onHoist(entry.node)}>Show only what follows, in the tree</Act>
        <Act does={actions.prune} keys={keys.prune}>
          {entry.pruned ? 'Bring the branch back' : 'Prune the branch'}
        </Act>
      </ul>
      <h2>Tags</h2>
      <ul className="tags">
        {tags.map((tag) => (
          <li key={tag}>
            <span dir="auto">{visible(tag)}</span>{' '}
            <button
              type="button"
              className="act"
              aria-label={`Take ${tag} away`}
              onClick={() => mark({ untag: [tag] })}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <form onSubmit={addTag}>
        <input name="tag" aria-label="New tag" placeholder="A word to find it by" maxLength={64} autoComplete="off" />
      </form>
      {entry.marks?.note && (
        <>
          <h2>Note</h2>
          <p dir="auto">{visible(entry.marks.note)}</p>
        </>
      )}
    </section>
  );
}

interface ActProps {
  does(): void;
  readonly keys?: string;
  readonly children: React.ReactNode;
}

function Act({ does, keys, children }: ActProps) {
  return (
    <li>
      <button type="button" className="act" onClick={does}>
        {children}
      </button>
      {keys && <kbd>{readable(keys)}</kbd>}
    </li>
  );
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}
