import { useState } from 'react';
import { client } from '../data/session.ts';
import { addRow } from '../data/workspace.ts';
import { type ExplainTarget, passageOffset } from '../explain/target.ts';
import { navigate } from '../shell/address.ts';
import { focusOnMount } from '../ui/focus.ts';
import { handleSubmit } from '../ui/handle-submit.ts';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { firstLine } from '../ui/text/first-line.ts';

/** Opens a text as a loom or a dialogue that records its source. */
export function OpenSheet({ target, onClose }: { readonly target: ExplainTarget; onClose(): void }) {
  const { link, passage } = target;
  const { attempt, busy, refusal } = useAttempt();
  const [questionText, setQuestionText] = useState('');
  const [isPassageOnly, setPassageOnly] = useState(passage !== undefined);

  async function open(as: 'loom' | 'dialogue'): Promise<void> {
    const question = as === 'dialogue' ? questionText.trim() : '';
    const result = await attempt(async () => {
      const range = isPassageOnly && passage ? await passageRange(link, passage) : {};
      const created = await client.open({ link, as, ...range, ...(question !== '' && { ask: question }) });
      // The dialogue was opened to be answered; its room reports what stops the mind.
      if (as === 'dialogue')
        await client
          .thread(created.thread.id)
          .command('run', {})
          .catch(() => undefined);
      return created;
    });
    if (!result) return;
    addRow(result.thread);
    onClose();
    navigate(result.link);
  }

  return (
    <Sheet label="Open as" onClose={onClose}>
      <form className="open-as" onSubmit={handleSubmit(() => open('dialogue'))}>
        {passage && (
          <label>
            <input type="checkbox" checked={isPassageOnly} onChange={(event) => setPassageOnly(event.target.checked)} />
            <span dir="auto"> only “{escapeBidi(firstLine(passage.words.trim(), 60))}”</span>
          </label>
        )}
        <p>
          <button ref={focusOnMount} type="button" className="link" disabled={busy} onClick={() => void open('loom')}>
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
          value={questionText}
          maxLength={20_000}
          onChange={(event) => setQuestionText(event.target.value)}
        />
        <p className="soft">What comes of it can be brought back to where it is now.</p>
        <RefusalMessage reason={refusal} />
      </form>
    </Sheet>
  );
}

/** The range of the selected words in the source text; if they are not found there, the whole text. */
async function passageRange(
  link: string,
  passage: NonNullable<ExplainTarget['passage']>,
): Promise<{ start?: number; end?: number }> {
  const { text } = await client.explain(link);
  const start = passageOffset(text, passage);
  const words = passage.words.trim();
  if (start === undefined || !text.startsWith(words, start)) return {};
  return { start, end: start + words.length };
}
