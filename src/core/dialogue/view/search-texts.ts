import type { Event } from '../../events/event.ts';
import { readEvent } from '../../events/read.ts';
import type { SearchText } from '../../search/kinds.ts';
import { type DialogueEvent, IterationEnded } from '../events.ts';
import type { Dialogue } from '../state.ts';

/** The searchable texts of a dialogue event. Thought numbers come from the state (`dialogueTextPlace`). */
export function dialogueSearchTexts(stored: Event): readonly SearchText[] {
  const event = readEvent<DialogueEvent>(stored);
  switch (event.type) {
    case 'turn.opened': {
      const { turn, text } = event.content;
      return [{ kind: 'message', text, at: String(turn) }];
    }
    case 'turn.steered': {
      const { turn, text } = event.content;
      return [{ kind: 'note', text, at: String(turn) }];
    }
    case 'turn.accepted': {
      const { turn, edited } = event.content;
      return edited ? [{ kind: 'message', text: edited.text, at: String(turn) }] : [];
    }
    case 'iteration.ended': {
      const { turn, thoughts, draft } = event.content;
      const draftTexts: SearchText[] = draft ? [{ kind: 'draft', text: draft.text, at: `${turn}.${draft.index}` }] : [];
      return [...thoughts.map((text): SearchText => ({ kind: 'thought', text })), ...draftTexts];
    }
    case 'iteration.late': {
      const { turn, thoughts, draft } = event.content;
      const at = String(turn);
      const draftTexts: SearchText[] = draft === undefined ? [] : [{ kind: 'draft', text: draft, at }];
      return [...thoughts.map((text): SearchText => ({ kind: 'thought', text, at })), ...draftTexts];
    }
    default:
      return [];
  }
}

/** The place of a thought. Its number follows from the number of thoughts before its iteration. */
export function dialogueTextPlace({ iterations }: Dialogue, event: Event, partIndex: number): string | undefined {
  const ended = IterationEnded.read(event);
  const iteration = ended && iterations.at(ended.content.iter - 1);
  return iteration?.event === event.id ? `thought.${iteration.thoughtsAfter + partIndex + 1}` : undefined;
}
