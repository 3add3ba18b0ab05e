import { useState } from 'react';
import type { Control } from '../../../../src/core/threads/schema.ts';
import { handleSubmit } from '../../../ui/handle-submit.ts';
import type { ThreadParticipant } from './control-actions.ts';

export const MAX_INSTRUCTIONS = 16_000;

interface InstructionsProps {
  readonly participant: ThreadParticipant;
  onPost(controls: readonly Control[]): void;
}

/** The instructions at the start of an agent's prompt: everyone can read them, people can edit them (T25). */
export function Instructions({ participant: { id, profile }, onPost }: InstructionsProps) {
  const saved = profile.instructions ?? '';
  const [text, setText] = useState(saved);
  return (
    <form
      className="instructions"
      onSubmit={handleSubmit(() =>
        onPost([{ invite: { participant_id: id, profile: { instructions: text.trim() } } }]),
      )}
    >
      <label>
        <span className="soft">Instructions</span>
        <textarea
          rows={4}
          dir="auto"
          maxLength={MAX_INSTRUCTIONS}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {text.trim() !== saved && (
        <button type="submit" className="act">
          Save instructions
        </button>
      )}
    </form>
  );
}
