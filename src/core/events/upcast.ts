import type { Json } from './event.ts';

/** Converts the content of one version of a type to the next version. */
export type Upcast = (content: Json) => Json;

/**
 * Upcasts by type, the step from version 1 to 2 first. They are separate from the schemas, because the page reads old
 * events, too.
 */
export type Upcasts = Readonly<Record<string, readonly Upcast[]>>;
