import type { ThreadRow } from '../../src/client/index.ts';
import type { ThreadKind } from '../ui/kinds.ts';

export interface TourStep {
  /** The kind of thread the step is for; without one, it works anywhere. */
  readonly kind?: ThreadKind;
  /** What to look at, and what to try. */
  readonly words: string;
  /** The text shown once the step is done. */
  readonly done: string;
  /** Whether the step is done; `initial` is the row from when the step began. */
  isDone?(row: ThreadRow, initial: ThreadRow, me: string): boolean;
}

const hasWritten = (row: ThreadRow, initial: ThreadRow, me: string) =>
  row.last.from === me && row.last.cursor !== initial.last.cursor;
const rowFacts = (row: ThreadRow) => (row.about ?? {}) as { turn?: unknown; audit?: unknown; awaiting?: unknown };

export const STEPS: readonly TourStep[] = [
  {
    kind: 'conversation',
    words: 'People and agents write to each other here. Write “@muse”, a question, and press Enter.',
    done: 'Its name wakes an agent, and it answers under its own. The model here is small: it only knows stories.',
    isDone: hasWritten,
  },
  {
    kind: 'dialogue',
    words: 'You said one thing, and a mind drafts until it needs you. Press Accept at a draft, or Esc and then “a”.',
    done: 'That draft is the answer now. The others are kept, and every one can be taken back up.',
    isDone: (row) => !rowFacts(row).turn,
  },
  {
    kind: 'exchange',
    words:
      'Two minds think in rounds, and an auditor sums up what they thought. Read the audit, and answer it in a line.',
    done: 'The minds see what you said, and the rounds go on.',
    isDone: (row) => rowFacts(row).audit !== undefined && rowFacts(row).awaiting === undefined,
  },
  {
    kind: 'loom',
    words:
      'A story with three continuations; one of them is in the text. Choose another on the shelf below it, or press Alt 2.',
    done: 'The others are a turn away. Write or edit anywhere: what follows stays.',
    isDone: hasWritten,
  },
  {
    words: 'Everything else is found in one place: every thread, every text, all that can be done. Press Ctrl K.',
    done: 'That was the tour. “Take the tour”, in here or in the settings, begins it again.',
  },
];
