import { type RefObject, useState } from 'react';
import type { DialogueStatus } from '../../../src/client/index.ts';
import { WriteForm } from '../write-form.tsx';
import type { LiveDialogue } from './live-dialogue.ts';

interface DialogueComposerProps {
  readonly dialogue: LiveDialogue;
  readonly status: DialogueStatus;
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

/** Sends a message when no turn is open, and a steering note while the mind drafts. */
export function DialogueComposer({ dialogue, status: { turn }, field }: DialogueComposerProps) {
  const [shouldRunNow, setShouldRunNow] = useState(true);
  if (turn) {
    return (
      <WriteForm
        key="steer"
        draftKey={`${dialogue.id}.steer`}
        label="Steer"
        field={field}
        fieldLabel="Your note to the mind"
        hint="Steer: a note the mind sees, without accepting anything"
        submitLabel="Steer"
        onSend={(text) => dialogue.remote.command('steer', { text, turn: turn.turn })}
      />
    );
  }
  return (
    <WriteForm
      key="write"
      draftKey={dialogue.id}
      label="Write"
      field={field}
      fieldLabel="Your message"
      hint="Write to the mind"
      submitLabel="Send"
      onSend={(text) => dialogue.remote.command('message', { text, ...(shouldRunNow && { run: {} }) })}
    >
      <label>
        <input type="checkbox" checked={shouldRunNow} onChange={(event) => setShouldRunNow(event.target.checked)} />
        <span className="soft"> let it think at once</span>
      </label>
    </WriteForm>
  );
}
