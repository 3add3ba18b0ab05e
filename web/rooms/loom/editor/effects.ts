import { Annotation, StateEffect } from '@codemirror/state';

/** How the text looks has changed, its characters apart. */
export const redrawEffect = StateEffect.define<null>();
/** A change that the desk told the editor of: it is not an edit. */
export const sessionUpdate = Annotation.define<true>();
