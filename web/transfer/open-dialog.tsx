import { useState } from 'react';
import { client } from '../data/session.ts';
import { addRow } from '../data/workspace.ts';
import { type ExplainTarget, passageOffset } from '../explain/target.ts';
import { navigate } from '../shell/address.ts';
import { Checkbox } from '../ui/controls/checkbox.tsx';
import { TextArea } from '../ui/controls/field.tsx';
import { Dialog } from '../ui/floating/dialog.tsx';
import { focusOnMount } from '../ui/focus.ts';
import { handleSubmit } from '../ui/handle-submit.ts';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { firstLine } from '../ui/text/first-line.ts';
import { ChoiceButton, Choices } from './choices.tsx';
import styles from './dialogs.module.css';

/** Opens a text as a loom or a dialogue that records its source. */
export function OpenDialog({ target, onClose }: { readonly target: ExplainTarget; onClose(): void }) {
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
    <Dialog
      title="Open as"
      description="The new thread keeps a link to this text. You can send the result back."
      onClose={onClose}
    >
      <form className={styles.target} onSubmit={handleSubmit(() => open('dialogue'))}>
        {passage && (
          <Checkbox
            checked={isPassageOnly}
            onChange={(event) => setPassageOnly(event.target.checked)}
            label={<span dir="auto">Only “{escapeBidi(firstLine(passage.words.trim(), 60))}”</span>}
          />
        )}
        <Choices>
          <ChoiceButton
            ref={focusOnMount}
            name="Open as a loom"
            text="Continue it as a text, in branches."
            disabled={busy}
            onClick={() => void open('loom')}
          />
          <ChoiceButton
            type="submit"
            name="Open as a dialogue"
            text="A mind drafts an answer until you accept one."
            disabled={busy}
          />
        </Choices>
        <TextArea
          label="Question for a dialogue"
          hint="Optional: a question for the mind."
          rows={2}
          dir="auto"
          value={questionText}
          maxLength={20_000}
          onChange={(event) => setQuestionText(event.target.value)}
        />
        <RefusalMessage reason={refusal} />
      </form>
    </Dialog>
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
