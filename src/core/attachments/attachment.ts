import type { EventMeta } from '../events/event.ts';
import { LINE_BREAK } from '../text/sanitize.ts';

/*
 * Files that people and agents attach to what they say (I27). The page uses this file, so it loads no schema; that is
 * in `schema.ts`.
 */

/** A file at a message: its bytes are a blob (L21), and everything but its name is what the server found in them. */
export interface Attachment {
  /** SHA-256 of the bytes. */
  readonly blob: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** Of an image, in pixels. */
  readonly width?: number;
  readonly height?: number;
}

/** An attachment as a client names it; the server adds the rest and believes nothing of it. */
export type NamedAttachment = Pick<Attachment, 'blob' | 'name'> & Partial<Attachment>;

export const MAX_ATTACHMENT_BYTES = 25 * 1024 * 1024;
export const MAX_ATTACHMENTS = 20;
export const MAX_FILE_NAME = 120;
const KEPT_EXTENSION = 16;
const UNNAMED = 'file';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * A file's name as one short line without a path, safe to show and to save under: control and direction characters
 * become visible.
 */
export function cleanFileName(text: string): string {
  const lastPart = text.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const line = lastPart.split(LINE_BREAK).join(' ').replace(UNSAFE, '\ufffd').trim();
  const name = /^\.*$/.test(line) ? UNNAMED : line;
  const chars = Array.from(name);
  if (chars.length <= MAX_FILE_NAME) return name;
  // The end says what kind of file it is.
  const extension = Array.from(/\.[^.]+$/.exec(name)?.[0] ?? '');
  const end = extension.length <= KEPT_EXTENSION ? extension : [];
  return `${chars
    .slice(0, MAX_FILE_NAME - 1 - end.length)
    .join('')
    .trimEnd()}…${end.join('')}`;
}

/** `1.2 MB`: short enough to stand beside a name. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['KB', 'MB', 'GB'];
  let [value, unit] = [bytes / 1024, 0];
  while (value >= 999.5 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${value >= 10 ? Math.round(value) : Math.max(0.1, Math.round(value * 10) / 10)} ${units[unit]}`;
}

/** Types that are shown as pictures; all others are downloaded. SVG is not one of them: it can hold scripts. */
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);

export function isShownImage({ type }: Pick<Attachment, 'type'>): boolean {
  return IMAGE_TYPES.has(type);
}

/** `plan.pdf, 1.2 MB` */
export function describeAttachment({ name, size }: Pick<Attachment, 'name' | 'size'>): string {
  return `${cleanFileName(name)}, ${formatSize(size)}`;
}

/** What an event says about its files; `blobs` makes exports, imports and proofs know them (L20, L21). */
export function attachmentMeta(
  attachments: readonly NamedAttachment[] | undefined,
): Pick<EventMeta, 'attachments' | 'blobs'> | undefined {
  if (!attachments || attachments.length === 0) return undefined;
  return {
    attachments: attachments.map(({ type = 'application/octet-stream', size = 0, ...rest }) => ({
      ...rest,
      type,
      size,
    })),
    blobs: [...new Set(attachments.map(({ blob }) => blob))],
  };
}

/** The files at an event, also one that an older or another program wrote. */
export function attachmentsOf({ attachments }: EventMeta): readonly Attachment[] {
  return Array.isArray(attachments) ? attachments : [];
}
