/** The values as they stand in the text: nothing is a number or a date, and null is a place left empty (D10). */
export interface MindOutputFields {
  readonly thoughts?: readonly string[];
  readonly draft?: string | null;
  readonly confidence?: string | null;
  readonly status?: string | null;
  readonly clear?: string | null;
  /** Of a mind in an exchange: why it asks for a restart. */
  readonly restart?: string | null;
}

/** What is wrong, for whoever reads it, and what to do instead, for whoever wrote it. */
export class UnreadableOutput extends Error {
  readonly mend: string | undefined;

  constructor(problem: string, mend?: string) {
    super(problem);
    this.mend = mend;
  }
}

export const SILENCE_HINT = 'Even to stay silent, write "thoughts: []".';

export const FIELD_NAMES = ['thoughts', 'draft', 'confidence', 'status', 'clear', 'restart'] as const;

/** More at once is not thinking. */
export const MAX_THOUGHTS = 64;

export function throwTooManyThoughts(): never {
  throw new UnreadableOutput(`There are more than ${MAX_THOUGHTS} thoughts.`, `Write ${MAX_THOUGHTS} at most.`);
}
