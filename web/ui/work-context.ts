/** The context of a long task: reports progress and signals cancellation. */
export interface WorkContext {
  readonly signal: AbortSignal;
  /** `fraction` is the part that is done, if known. */
  onProgress(status: string, fraction?: number): void;
}
