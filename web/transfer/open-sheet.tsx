import { useState } from 'react';
import { client } from '../data/session.ts';
import { addRow } from '../data/workspace.ts';
import { type Asked, offsetOf } from '../explain/target.ts';
import { go } from '../shell/address.ts';
import { takesFocus } from '../ui/focus.ts';
import { Refused, useWish } from '../ui/request.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { firstLine } from '../ui/text/first-line.ts';
import { visible } from '../ui/text/visible.ts';

/** A text becomes a loom or a dialogue that knows where it came from. */
export function OpenSheet({ asked, onClose }: { readonly asked: Asked; onClose(): void }) {
  const { link, passage } = asked;
  const { wish, busy, refusal } = useWish();
  const [ask, setAsk] = useState('');
  const [isPart, setPart] = useState(passage !== undefined);

  async function open(as: 'loom' | 'dialogue'): Promise<void> {
    const question = as === 'dialogue' ? ask.trim() : '';
    const opened = await wish(async () => {
      const part = isPart && passage ? await partOf(link, passage) : {};
      const made = await client.open({ link, as, ...part, ...(question !== '' && { ask: question }) });
      // It was opened to be answered; what hinders the mind is told in its room.
      if (as === 'dialogue')
        await client
          .thread(made.thread.id)
          .command('run', {})
          .catch(() => undefined);
      return made;
    });
    if (!opened) return;
    addRow(opened.thread);
    onClose();
    go(opened.link);
  }

  return (
    <Sheet label="Open as" onClose={onClose}>
      <form
        className="open-as"
        onSubmit={(event) => {
          event.preventDefault();
          void open('dialogue');
        }}
      >
        {passage && (
          <label>
            <input type="checkbox" checked={isPart} onChange={(event) => setPart(event.target.checked)} />
            <span dir="auto"> only “{visible(firstLine(passage.words.trim(), 60))}”</span>
          </label>
        )}
        <p>
          <button ref={takesFocus} type="button" className="link" disabled={busy} onClick={() => void open('loom')}>
            Open as a loom
          </button>{' '}
          <span className="soft">to write on from it, in branches</span>
        </p>
        <p>
          <button type="submit" className="link" disabled={busy}>
            Open as a dialogue
          </button>{' '}
          <span className="soft">to have a mind think about it until you accept an answer</span>
        </p>
        <textarea
          rows={2}
          dir="auto"
          aria-label="What to ask about it"
          placeholder="What to ask about it, if you want to ask something"
          value={ask}
          maxLength={20_000}
          onChange={(event) => setAsk(event.target.value)}
        />
        <p className="soft">What comes of it can be brought back to where it is now.</p>
        <Refused because={refusal} />
      </form>
    </Sheet>
  );
}

/** Where the chosen words stand in the text as it was written; where they are not found there, all of it is taken. */
async function partOf(link: string, passage: NonNullable<Asked['passage']>): Promise<{ start?: number; end?: number }> {
  const { text } = await client.explain(link);
  const start = offsetOf(text, passage);
  const words = passage.words.trim();
  if (start === undefined || !text.startsWith(words, start)) return {};
  return { start, end: start + words.length };
}
