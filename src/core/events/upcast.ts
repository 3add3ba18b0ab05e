import type { Json } from './event.ts';

/** From the content of one version of a type to that of the next. */
export type Upcast = (content: Json) => Json;

/** By type, the step from version 1 to 2 first. Apart from the schemas, because the page reads old events, too. */
export type Upcasts = Readonly<Record<string, readonly Upcast[]>>;
