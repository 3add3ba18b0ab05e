import type { Decision } from '../decider.ts';
import type { Json } from '../event.ts';
import type { Mode, ModeContext } from '../mode.ts';
import { attentionOf } from './attention.ts';
import { dialogueCommands } from './commands.ts';
import { type Settings, settings } from './config.ts';
import { decideDialogue } from './decide.ts';
import { dialogueEvents } from './events.ts';
import { evolveDialogue } from './evolve.ts';
import { jobsOf } from './runs.ts';
import { type Dialogue, initialDialogue } from './state.ts';

/** A person sends one message; a mind thinks and drafts until the person accepts a draft. */
export const dialogue: Mode<Dialogue, typeof dialogueCommands, typeof settings> = {
  kind: 'dialogue',
  events: dialogueEvents,
  commands: dialogueCommands,
  setup: settings,
  begin,
  initial: initialDialogue,
  evolve: evolveDialogue,
  decide: decideDialogue,
  summary: (state) => ({ attention: attentionOf(state).level, turn: state.open?.turn ?? null }) satisfies Json,
  jobs: jobsOf,
};

function begin(set: Settings, { thread }: ModeContext): Decision {
  return Object.keys(set).length === 0
    ? []
    : [{ thread: thread.id, type: 'dialogue.configured', content: { set: set as Json } }];
}
