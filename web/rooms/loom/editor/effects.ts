import { Annotation, StateEffect } from '@codemirror/state';

/** The look of the text has changed, but not its characters. */
export const redrawEffect = StateEffect.define<null>();
/** Marks a change that comes from the edit session, so that it is not sent back as an edit. */
export const sessionUpdate = Annotation.define<true>();
