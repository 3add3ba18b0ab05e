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
    done: 'Mentioning an agent wakes it, and it answers under its own name. The model here is small: it only knows stories.',
    isDone: hasWritten,
  },
  {
    kind: 'dialogue',
    words:
      'You sent a message, and a mind writes drafts until it needs you. Press Accept on a draft, or Esc and then “a”.',
    done: 'That draft is now the answer. The others are kept, and you can return to any of them.',
    isDone: (row) => !rowFacts(row).turn,
  },
  {
    kind: 'exchange',
    words:
      'Two minds think in rounds, and an auditor sums up their thoughts. Read the audit and answer it in one line.',
    done: 'The minds see your answer, and the rounds continue.',
    isDone: (row) => rowFacts(row).audit !== undefined && rowFacts(row).awaiting === undefined,
  },
  {
    kind: 'loom',
    words:
      'A story with three continuations; one of them is in the text. Choose another on the shelf below it, or press Alt 2.',
    done: 'The others stay on the shelf. Write or edit anywhere: the text after your edit stays.',
    isDone: hasWritten,
  },
  {
    words: 'Find everything else in one place: every thread, every text, every command. Press Ctrl K.',
    done: 'That was the tour. To see it again, choose “Take the tour” here or in the settings.',
  },
];
