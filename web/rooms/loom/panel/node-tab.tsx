import type { FormEvent } from 'react';
import { linkTo } from '../../../../src/core/link.ts';
import type { Marks } from '../../../../src/core/loom/graph/graph.ts';
import { useStore } from '../../../data/store.ts';
import { BroughtHere } from '../../../transfer/origin-notes.tsx';
import { bringElsewhere, openElsewhere } from '../../../transfer/requests.ts';
import { numeral } from '../../../ui/numeral.ts';
import { visible } from '../../../ui/text/visible.ts';
import { Time } from '../../../ui/time.tsx';
import type { LoomActions } from '../actions.ts';
import { Name } from '../head.tsx';
import { bindingsOf, readable } from '../keymap.ts';
import { type Loom, usedModel } from '../loom.ts';
import { unseenWords } from '../session/window-edge.ts';

interface NodeProps {
  readonly loom: Loom;
  readonly actions: LoomActions;
  onHoist(node: string): void;
}

/** The node the caret is in: what it is, its marks, and what can be done with it. */
export function NodeWords({ loom, actions: { actions }, onHoist }: NodeProps) {
  const { desk } = loom;
  useStore(loom.replica.loom);
  const state = desk.state();
  const { node } = useStore(loom.caret);
  const keys = bindingsOf(useStore(loom.keys));
  useStore(loom.models);
  useStore(loom.wish);
  const entry = node === undefined ? undefined : desk.facts.entry(state, node);
  if (!entry) return <p className="soft">The caret is in text that is not committed yet.</p>;
  const place = linkTo({ id: loom.id, kind: 'loom' }, entry.node);
  const graph = state.graph.look();
  const index = graph.byId.get(entry.node) ?? 0;
  const isMine = entry.author === loom.me && entry.kind === 'human';
  const mark = (body: object) => void desk.command('mark', { node: entry.node, ...body });
  const tags = entry.marks?.tags ?? [];
  const dropped = entry.generation === undefined ? undefined : graph.generations.get(entry.generation)?.dropped;
  const canFill = usedModel(loom).model?.capabilities?.fillInTheMiddle;

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
      {dropped && <p>{unseenWords(dropped)}</p>}
      {entry.pruned && <p>This branch is pruned: it is left out of the tree.</p>}
      <BroughtHere thread={loom.id} at={entry.node} />
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
        {canFill && (
          <Act does={actions.fill} keys={keys.fill}>
            Fill in at the caret
          </Act>
        )}
        <Act does={actions.sides} keys={keys.sides}>
          Side by side
        </Act>
        <Act does={() => openElsewhere(place)}>Open as a dialogue or a loom</Act>
        <Act does={() => bringElsewhere(place)}>Bring the text up to here to another thread</Act>
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
              aria-label={`Take ${visible(tag)} away`}
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
      <Judged key={entry.node} marks={entry.marks} mark={mark} />
    </section>
  );
}

interface JudgedProps {
  readonly marks: Marks | undefined;
  mark(body: object): void;
}

/** Kept when the field is left, as it is then; an empty one takes the mark away. */
function Judged({ marks, mark }: JudgedProps) {
  const { rating, note } = marks ?? {};
  return (
    <>
      <h2>
        <label htmlFor="node-rating">Rating</label>
      </h2>
      <input
        id="node-rating"
        key={`rating ${rating}`}
        type="number"
        min={-100}
        max={100}
        step="any"
        placeholder="−100 to 100"
        defaultValue={rating ?? ''}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
        onBlur={({ target: { value, valueAsNumber } }) => {
          const next = value === '' ? null : Math.min(100, Math.max(-100, valueAsNumber));
          if (next !== (rating ?? null) && !Number.isNaN(next)) mark({ rating: next });
        }}
      />
      <h2>
        <label htmlFor="node-note">Note</label>
      </h2>
      <textarea
        id="node-note"
        key={`note ${note}`}
        rows={3}
        dir="auto"
        maxLength={10_000}
        placeholder="What to remember of it"
        defaultValue={note ?? ''}
        onBlur={({ target: { value } }) => value !== (note ?? '') && mark({ note: value === '' ? null : value })}
      />
    </>
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
  return `${numeral(count)} ${what}${count === 1 ? '' : 's'}`;
}
