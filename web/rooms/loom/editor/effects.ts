import { Annotation, StateEffect } from '@codemirror/state';

/** How the text looks has changed, its characters apart. */
export const redrawn = StateEffect.define<null>();
/** A change that the desk told the editor of: it is not an edit. */
export const told = Annotation.define<true>();
