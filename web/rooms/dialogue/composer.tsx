import { type RefObject, useState } from 'react';
import { WriteForm } from '../write-form.tsx';
import type { Talk } from './live-dialogue.ts';
import type { Status } from './queries.ts';

interface ComposerProps {
  readonly talk: Talk;
  readonly status: Status;
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

/** A message while nothing waits, a note to the mind while it drafts. */
export function Composer({ talk, status: { turn }, field }: ComposerProps) {
  const [atOnce, setAtOnce] = useState(true);
  if (turn) {
    return (
      <WriteForm
        key="steer"
        keep={`${talk.id}.steer`}
        label="Steer"
        field={field}
        fieldLabel="Your note to the mind"
        hint="Steer: a note the mind sees, without accepting anything"
        does="Steer"
        send={(text) => talk.remote.command('steer', { text, turn: turn.turn })}
      />
    );
  }
  return (
    <WriteForm
      key="write"
      keep={talk.id}
      label="Write"
      field={field}
      fieldLabel="Your message"
      hint="Write to the mind"
      does="Send"
      send={(text) => talk.remote.command('message', { text, ...(atOnce && { run: {} }) })}
    >
      <label>
        <input type="checkbox" checked={atOnce} onChange={(event) => setAtOnce(event.target.checked)} />
        <span className="soft"> let it think at once</span>
      </label>
    </WriteForm>
  );
}
