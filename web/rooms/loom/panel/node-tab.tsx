import { X } from 'lucide-react';
import type { FormEvent } from 'react';
import { linkTo } from '../../../../src/core/link.ts';
import type { NodeMarks } from '../../../../src/core/loom/view-schema.ts';
import { formatCount } from '../../../../src/core/text/pluralize.ts';
import { useStore } from '../../../data/store.ts';
import { BroughtNoteAt } from '../../../transfer/origin-notes.tsx';
import { requestBring } from '../../../transfer/requests.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { TextArea, TextField } from '../../../ui/controls/field.tsx';
import { Face } from '../../../ui/people/participant.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { Time } from '../../../ui/time.tsx';
import { TextActions } from '../../text-actions.tsx';
import type { LoomActions } from '../actions.ts';
import { AuthorName } from '../authors-legend.tsx';
import { bindingsOf, formatBinding } from '../keymap.ts';
import { activeModels, type OpenLoom } from '../loom.ts';
import { unseenMessage } from '../session/window-edge.ts';
import styles from './panel.module.css';

interface NodeTabProps {
  readonly loom: OpenLoom;
  readonly actions: LoomActions;
}

/** The node at the caret: its details, marks and actions. */
export function NodeTab({ loom, actions: { actions } }: NodeTabProps) {
  const { session } = loom;
  useStore(loom.replica.loom);
  const state = session.state();
  const { node } = useStore(loom.caret);
  const bindings = bindingsOf(useStore(loom.keySettings));
  useStore(loom.models);
  useStore(loom.generationOptions);
  const entry = node === undefined ? undefined : session.facts.entry(state, node);
  if (!entry) return <p className={styles.soft}>The caret is in text that is not saved as a node yet.</p>;
  const link = linkTo({ id: loom.id, kind: 'loom' }, entry.node);
  const graph = state.graph.read();
  const index = graph.byId.get(entry.node) ?? 0;
  const mark = (body: object) => void session.command('mark', { node: entry.node, ...body });
  const tags = entry.marks?.tags ?? [];
  const dropped = entry.generation === undefined ? undefined : graph.generations.get(entry.generation)?.dropped;
  const canFill = activeModels(loom).every(({ model }) => model?.capabilities?.fillInTheMiddle);

  function addTag(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const field = event.currentTarget.elements.namedItem('tag') as HTMLInputElement;
    if (field.value.trim() !== '') mark({ tags: [field.value.trim()] });
    field.value = '';
  }

  return (
    <section className={styles.section}>
      <p className={styles.by}>
        <Face id={entry.author} size="small" />
        <AuthorName loom={loom} id={entry.author} />
        <span className={styles.soft}>
          <Time ts={graph.created[index]!} />
        </span>
        <TextActions link={link} text={session.textOf(entry.node)} />
      </p>
      <p className={styles.soft}>
        {formatCount(entry.end - entry.start, 'character')}
        {entry.siblings.length > 1 && `, branch ${entry.siblings.indexOf(entry.node) + 1} of ${entry.siblings.length}`}
        {entry.versions.length > 1 && `, version ${entry.versions.indexOf(entry.node) + 1} of ${entry.versions.length}`}
      </p>
      {entry.stale && <p>Written against an earlier version of the text before it.</p>}
      {entry.interrupted && <p>Stopped before it was finished.</p>}
      {dropped && <p>{unseenMessage(dropped)}</p>}
      {entry.pruned && <p>This branch is pruned: the outline leaves it out.</p>}
      <BroughtNoteAt thread={loom.id} at={entry.node} />
      <ul className={styles.acts}>
        <ActionItem onClick={actions.bookmark} binding={bindings.bookmark}>
          {entry.marks?.bookmark === undefined ? 'Bookmark' : 'Remove the bookmark'}
        </ActionItem>
        <ActionItem onClick={actions.split} binding={bindings.split}>
          Split at the caret
        </ActionItem>
        <ActionItem onClick={actions.merge} binding={bindings.merge}>
          Merge with the node before
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
          Compare branches
        </ActionItem>
        <ActionItem onClick={() => requestBring(link)}>Send the text up to here to…</ActionItem>
        <ActionItem
          onClick={() => {
            loom.hoistedNode.set(entry.node);
            loom.tab.set('Tree');
          }}
        >
          Show only this branch
        </ActionItem>
        <ActionItem onClick={actions.prune} binding={bindings.prune}>
          {entry.pruned ? 'Restore the branch' : 'Prune the branch'}
        </ActionItem>
      </ul>
      <h3>Tags</h3>
      <ul className={styles.tags}>
        {tags.map((tag) => (
          <li key={tag}>
            <span dir="auto">{escapeBidi(tag)}</span>
            <IconButton icon={X} label={`Remove ${escapeBidi(tag)}`} onClick={() => mark({ untag: [tag] })} />
          </li>
        ))}
      </ul>
      <form onSubmit={addTag}>
        <TextField
          label="New tag"
          name="tag"
          placeholder="A word to find this node"
          maxLength={64}
          autoComplete="off"
        />
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
      <TextField
        label="Rating"
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
      <TextArea
        label="Note"
        key={`note ${note}`}
        rows={3}
        dir="auto"
        maxLength={10_000}
        placeholder="Your note"
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
      <Button kind="quiet" shortcut={binding && formatBinding(binding)} onClick={onClick}>
        {children}
      </Button>
    </li>
  );
}
