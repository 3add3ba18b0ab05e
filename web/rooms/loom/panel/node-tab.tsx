import type { FormEvent } from 'react';
import { linkTo } from '../../../../src/core/link.ts';
import type { NodeMarks } from '../../../../src/core/loom/view-schema.ts';
import { formatCount } from '../../../../src/core/text/pluralize.ts';
import { useStore } from '../../../data/store.ts';
import { BroughtNoteAt } from '../../../transfer/origin-notes.tsx';
import { requestBring, requestOpen } from '../../../transfer/requests.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { Time } from '../../../ui/time.tsx';
import type { LoomActions } from '../actions.ts';
import { AuthorName } from '../header.tsx';
import { bindingsOf, formatBinding } from '../keymap.ts';
import { activeModel, type OpenLoom } from '../loom.ts';
import { unseenMessage } from '../session/window-edge.ts';

interface NodeTabProps {
  readonly loom: OpenLoom;
  readonly actions: LoomActions;
  onHoist(node: string): void;
}

/** The node at the caret: its details, marks and actions. */
export function NodeTab({ loom, actions: { actions }, onHoist }: NodeTabProps) {
  const { session } = loom;
  useStore(loom.replica.loom);
  const state = session.state();
  const { node } = useStore(loom.caret);
  const bindings = bindingsOf(useStore(loom.keySettings));
  useStore(loom.models);
  useStore(loom.generationOptions);
  const entry = node === undefined ? undefined : session.facts.entry(state, node);
  if (!entry) return <p className="soft">The caret is in text that is not committed yet.</p>;
  const link = linkTo({ id: loom.id, kind: 'loom' }, entry.node);
  const graph = state.graph.read();
  const index = graph.byId.get(entry.node) ?? 0;
  const isMine = entry.author === loom.me && entry.kind === 'human';
  const mark = (body: object) => void session.command('mark', { node: entry.node, ...body });
  const tags = entry.marks?.tags ?? [];
  const dropped = entry.generation === undefined ? undefined : graph.generations.get(entry.generation)?.dropped;
  const canFill = activeModel(loom).model?.capabilities?.fillInTheMiddle;

  function addTag(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const field = event.currentTarget.elements.namedItem('tag') as HTMLInputElement;
    if (field.value.trim() !== '') mark({ tags: [field.value.trim()] });
    field.value = '';
  }

  return (
    <section className="node-words">
      <p>
        <AuthorName author={loom.authors.of(entry.author, entry.kind)} isMe={isMine} />,{' '}
        <Time ts={graph.created[index]!} />
      </p>
      <p className="soft">
        {formatCount(entry.end - entry.start, 'character')}
        {entry.siblings.length > 1 && `, branch ${entry.siblings.indexOf(entry.node) + 1} of ${entry.siblings.length}`}
        {entry.versions.length > 1 && `, version ${entry.versions.indexOf(entry.node) + 1} of ${entry.versions.length}`}
      </p>
      {entry.stale && <p>Written against an earlier version of what stands before it.</p>}
      {entry.interrupted && <p>It was stopped before it was done.</p>}
      {dropped && <p>{unseenMessage(dropped)}</p>}
      {entry.pruned && <p>This branch is pruned: it is left out of the tree.</p>}
      <BroughtNoteAt thread={loom.id} at={entry.node} />
      <ul className="node-acts">
        <ActionItem onClick={actions.bookmark} binding={bindings.bookmark}>
          {entry.marks?.bookmark === undefined ? 'Bookmark' : 'Take the bookmark away'}
        </ActionItem>
        <ActionItem onClick={actions.split} binding={bindings.split}>
          Split at the caret
        </ActionItem>
        <ActionItem onClick={actions.merge} binding={bindings.merge}>
          Merge with the one before
        </ActionItem>
        <ActionItem onClick={actions.generateHere} binding={bindings.generateHere}>
          Continue from the caret
        </ActionItem>
        {canFill && (
          <ActionItem onClick={actions.fill} binding={bindings.fill}>
            Fill in at the caret
          </ActionItem>
        )}
        <ActionItem onClick={actions.sides} binding={bindings.sides}>
          Side by side
        </ActionItem>
        <ActionItem onClick={() => requestOpen(link)}>Open as a dialogue or a loom</ActionItem>
        <ActionItem onClick={() => requestBring(link)}>Bring the text up to here to another thread</ActionItem>
        <ActionItem onClick={() => onHoist(entry.node)}>Show only what follows, in the tree</ActionItem>
        <ActionItem onClick={actions.prune} binding={bindings.prune}>
          {entry.pruned ? 'Bring the branch back' : 'Prune the branch'}
        </ActionItem>
      </ul>
      <h2>Tags</h2>
      <ul className="tags">
        {tags.map((tag) => (
          <li key={tag}>
            <span dir="auto">{escapeBidi(tag)}</span>{' '}
            <ActionButton aria-label={`Take ${escapeBidi(tag)} away`} onClick={() => mark({ untag: [tag] })}>
              ×
            </ActionButton>
          </li>
        ))}
      </ul>
      <form onSubmit={addTag}>
        <input name="tag" aria-label="New tag" placeholder="A word to find it by" maxLength={64} autoComplete="off" />
      </form>
      <RatingAndNote key={entry.node} marks={entry.marks} mark={mark} />
    </section>
  );
}

interface RatingAndNoteProps {
  readonly marks: NodeMarks | undefined;
  mark(body: object): void;
}

/** Saves a field on blur; an empty field removes the mark. */
function RatingAndNote({ marks, mark }: RatingAndNoteProps) {
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

interface ActionItemProps {
  onClick(): void;
  readonly binding?: string;
  readonly children: React.ReactNode;
}

function ActionItem({ onClick, binding, children }: ActionItemProps) {
  return (
    <li>
      <ActionButton onClick={onClick}>{children}</ActionButton>
      {binding && <kbd>{formatBinding(binding)}</kbd>}
    </li>
  );
}
