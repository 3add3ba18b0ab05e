import { displayTitle } from '../text/display-title.ts';
import type { Event } from './event.ts';

/**
 * An event for display: a message, or a note of what happened. The text is as it was written: who shows it makes it
 * safe for the place where it is shown.
 */
export type EventDescription =
  | { readonly kind: 'said'; readonly label: string; readonly text: string }
  | { readonly kind: 'note'; readonly text: string };

// biome-ignore lint/suspicious/noExplicitAny: an event of a newer version may hold anything, so nothing is relied on
export type UncheckedContent = any;

/** A describer for each event type; `from` is the participant who caused the event. */
export type EventDescribers = Readonly<Record<string, (content: UncheckedContent, from: string) => EventDescription>>;

/** A describer for each event type of a union. A missing one does not compile. */
export type DescribersOf<Known extends Event<string, unknown>> = {
  readonly [Type in Known['type']]: (
    content: Extract<Known, Event<Type, unknown>>['content'],
    from: string,
  ) => EventDescription;
};

export function asMessage(label: string, content: UncheckedContent): EventDescription {
  return { kind: 'said', label, text: typeof content === 'string' ? content : (JSON.stringify(content) ?? '') };
}

export function asNote(text: string): EventDescription {
  return { kind: 'note', text };
}

export function quote(text: UncheckedContent): string {
  return `“${displayTitle(text)}”`;
}

export function joinIds(ids: UncheckedContent): string {
  return Array.isArray(ids) ? ids.join(', ') : String(ids);
}

/** A reason or problem as the end of a sentence; empty if there is none. */
export function reasonSuffix(reason: UncheckedContent): string {
  return reason === undefined || reason === '' ? '' : `: ${reason}`;
}

interface RunWaiting {
  readonly run: number;
  readonly audit?: number | undefined;
  readonly until: string;
  readonly why: string;
}

/** Describes a run whose model cannot answer now. */
export function describeWaiting({ run, audit, until, why }: RunWaiting): EventDescription {
  const who = audit === undefined ? `run ${run}` : `audit ${audit}`;
  return asNote(`${who} waits for its model${untilSuffix(until)}${reasonSuffix(why)}`);
}

export function untilSuffix(until: unknown): string {
  return typeof until === 'string' ? ` until ${until.slice(11, 19)} UTC` : '';
}

export function formatFields(value: UncheckedContent): string {
  const fields = Object.entries(value ?? {}).map(([name, fieldValue]) => `${name} ${formatField(fieldValue)}`);
  return fields.length > 0 ? ` (${fields.join(', ')})` : '';
}

function formatField(value: UncheckedContent): string {
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.map(formatField).join(', ');
  return typeof value === 'object' ? formatFields(value).trim() || 'none' : String(value);
}
