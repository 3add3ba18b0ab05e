/** The values exactly as written: none is parsed as a number or a date, and null is an empty value (D10). */
export interface MindOutputFields {
  readonly thoughts?: readonly string[];
  readonly draft?: string | null;
  readonly confidence?: string | null;
  readonly status?: string | null;
  readonly clear?: string | null;
  /** For a mind in an exchange: the reason it requests a restart. */
  readonly restart?: string | null;
}

/** Describes the problem for the reader, and the fix for the model that wrote the output. */
export class UnreadableOutput extends Error {
  readonly mend: string | undefined;

  constructor(problem: string, mend?: string) {
    super(problem);
    this.mend = mend;
  }
}

export const SILENCE_HINT = 'Even to stay silent, write "thoughts: []".';

export const FIELD_NAMES = ['thoughts', 'draft', 'confidence', 'status', 'clear', 'restart'] as const;

/** The most thoughts one output may have. */
export const MAX_THOUGHTS = 64;

export function throwTooManyThoughts(): never {
  throw new UnreadableOutput(`There are more than ${MAX_THOUGHTS} thoughts.`, `Write ${MAX_THOUGHTS} at most.`);
}
