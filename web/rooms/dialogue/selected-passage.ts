/** A draft, or a sentence of it, whose origin is shown. */
export interface SelectedPassage {
  readonly turn: number;
  readonly draft: number;
  readonly sentence?: string | undefined;
}
