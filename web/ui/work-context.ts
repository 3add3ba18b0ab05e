/** What long work is given: a way to say how far it is, and to hear that it is not wanted any more. */
export interface WorkContext {
  readonly signal: AbortSignal;
  /** `fraction` is how much of it is done, where that is known. */
  onProgress(status: string, fraction?: number): void;
}
