import { type RefObject, useState } from 'react';
import type { DialogueStatus } from '../../../src/client/index.ts';
import { Switch } from '../../ui/controls/switch.tsx';
import { usePerson } from '../../ui/people/people.ts';
import { escapeBidi } from '../../ui/text/escape-bidi.ts';
import { WriteForm } from '../write-form.tsx';
import type { LiveDialogue } from './live-dialogue.ts';

interface DialogueComposerProps {
  readonly dialogue: LiveDialogue;
  readonly status: DialogueStatus;
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

/** Sends a message when no turn is open. */
export function DialogueComposer({ dialogue, status, field }: DialogueComposerProps) {
  const [shouldThink, setShouldThink] = useState(true);
  const { name } = usePerson(status.self);
  return (
    <WriteForm
      draftKey={dialogue.id}
      label="Write"
      field={field}
      fieldLabel="Your message"
      hint={`Message ${escapeBidi(name)}`}
      submitLabel="Send"
      onSend={(message) => dialogue.remote.command('message', { ...message, ...(shouldThink && { run: {} }) })}
    >
      <Switch label="Think at once" checked={shouldThink} onChange={setShouldThink} />
    </WriteForm>
  );
}
