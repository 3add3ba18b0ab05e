import { X } from 'lucide-react';
import { useState } from 'react';
import type { ThreadRow } from '../../src/client/index.ts';
import { MAX_TAG_CHARS, MAX_TAGS, normalizeTag } from '../../src/core/threads/tags.ts';
import { client } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { addRow, threadRows } from '../data/workspace.ts';
import { tagsOf } from '../inbox/filter-rows.ts';
import { Button, IconButton } from '../ui/controls/button.tsx';
import { TextField } from '../ui/controls/field.tsx';
import { Dialog } from '../ui/floating/dialog.tsx';
import { focusOnMount } from '../ui/focus.ts';
import { handleSubmit } from '../ui/handle-submit.ts';
import { useAttempt } from '../ui/refusal.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import styles from './tags-dialog.module.css';

interface TagsDialogProps {
  readonly row: ThreadRow;
  onClose(): void;
}

const SUGGESTIONS = 'tag-suggestions';
const MAX_SUGGESTIONS = 50;

/** Adds and removes the tags of a thread; every change holds at once. */
export function TagsDialog({ row: given, onClose }: TagsDialogProps) {
  const rows = useStore(threadRows);
  const row = rows?.get(given.id) ?? given;
  const { attempt, busy, refusal } = useAttempt();
  const tags = row.tags ?? [];
  const suggestions = tagsOf(rows?.values() ?? []).filter((tag) => !tags.includes(tag));
  const [words, setWords] = useState('');
  const change = (body: { add?: string[]; remove?: string[] }) =>
    attempt(async () => addRow((await client.thread(row.id).command('tag', body)).thread) ?? true);

  async function add(): Promise<void> {
    const added = words.split(',').filter((text) => text.trim() !== '');
    if (added.length > 0 && (await change({ add: added }))) setWords('');
  }

  return (
    <Dialog
      title="Tags"
      description={`Words to find “${escapeBidi(row.title)}”.`}
      footer={<Button onClick={onClose}>Close</Button>}
      onClose={onClose}
    >
      <ul className={styles.tags} aria-label="Tags of this thread">
        {tags.map((tag) => (
          <li key={tag}>
            <span dir="auto">{escapeBidi(tag)}</span>
            <IconButton icon={X} label={`Remove ${escapeBidi(tag)}`} onClick={() => void change({ remove: [tag] })} />
          </li>
        ))}
        {tags.length === 0 && <li className={styles.none}>No tags yet</li>}
      </ul>
      <form className={styles.form} onSubmit={handleSubmit(add)}>
        <TextField
          label="Add a tag"
          name="tags"
          hint={`Up to ${MAX_TAG_CHARS} characters. Separate several with commas.`}
          error={refusal}
          list={SUGGESTIONS}
          dir="auto"
          autoComplete="off"
          value={words}
          onChange={(event) => setWords(event.target.value)}
          ref={focusOnMount}
          disabled={tags.length >= MAX_TAGS}
        />
        <datalist id={SUGGESTIONS}>
          {suggestions.slice(0, MAX_SUGGESTIONS).map((tag) => (
            <option key={tag} value={normalizeTag(tag)} />
          ))}
        </datalist>
        <Button type="submit" kind="primary" disabled={busy}>
          Add
        </Button>
      </form>
    </Dialog>
  );
}
