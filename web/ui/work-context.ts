/** What long work is given: a way to say how far it is, and to hear that it is not wanted any more. */
export interface UnderWay {
  readonly signal: AbortSignal;
  /** `share` is how much of it is done, where that is known. */
  tell(words: string, share?: number): void;
}
