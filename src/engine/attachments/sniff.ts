import { isUtf8 } from 'node:buffer';

/*
 * What a file is, found in its bytes (I27): a name or a header of a client may lie. Only what is shown or read is told
 * apart; everything else is bytes.
 */

export interface FileFacts {
  readonly type: string;
  readonly width?: number;
  readonly height?: number;
}

const MAX_PIXELS = 100_000;

export function sniffFile(bytes: Uint8Array): FileFacts {
  const image = sniffImage(bytes);
  if (image) return image;
  if (startsWith(bytes, '%PDF-')) return { type: 'application/pdf' };
  if (startsWith(bytes, 'PK\x03\x04')) return { type: 'application/zip' };
  return { type: isText(bytes) ? 'text/plain' : 'application/octet-stream' };
}

function sniffImage(bytes: Uint8Array): FileFacts | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (startsWith(bytes, '\x89PNG\r\n\x1a\n') && startsWith(bytes, 'IHDR', 12))
    return bytes.length < 24 ? { type: 'image/png' } : imageOf('image/png', view.getUint32(16), view.getUint32(20));
  if ((startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a')) && bytes.length >= 10)
    return imageOf('image/gif', view.getUint16(6, true), view.getUint16(8, true));
  if (startsWith(bytes, '\xff\xd8\xff')) return { type: 'image/jpeg', ...jpegSize(view) };
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8))
    return { type: 'image/webp', ...webpSize(bytes, view) };
  if (startsWith(bytes, 'ftyp', 4) && (startsWith(bytes, 'avif', 8) || startsWith(bytes, 'avis', 8)))
    return { type: 'image/avif', ...avifSize(bytes, view) };
  return undefined;
}

function imageOf(type: string, width: number, height: number): FileFacts {
  return { type, ...sizeOf(width, height) };
}

function sizeOf(width: number, height: number): Pick<FileFacts, 'width' | 'height'> {
  return [width, height].every((each) => each > 0 && each <= MAX_PIXELS) ? { width, height } : {};
}

/** Follows the segments to the one that starts a frame. */
function jpegSize(view: DataView): Pick<FileFacts, 'width' | 'height'> {
  for (let at = 2; at + 9 < view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return {};
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return sizeOf(view.getUint16(at + 7), view.getUint16(at + 5));
    // Fill bytes and markers without a length.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else at += 2 + Math.max(2, view.getUint16(at + 2));
  }
  return {};
}

function webpSize(bytes: Uint8Array, view: DataView): Pick<FileFacts, 'width' | 'height'> {
  if (bytes.length < 30) return {};
  const uint24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
  if (startsWith(bytes, 'VP8X', 12)) return sizeOf(uint24(24) + 1, uint24(27) + 1);
  if (startsWith(bytes, 'VP8L', 12)) {
    const bits = view.getUint32(21, true);
    return sizeOf((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
  }
  if (startsWith(bytes, 'VP8 ', 12))
    return sizeOf(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
  return {};
}

/** The property of the image's extent is near the start. */
function avifSize(bytes: Uint8Array, view: DataView): Pick<FileFacts, 'width' | 'height'> {
  const end = Math.min(bytes.length - 16, 4096);
  for (let at = 0; at < end; at++) {
    if (bytes[at] === 0x69 && startsWith(bytes, 'ispe', at))
      return sizeOf(view.getUint32(at + 8), view.getUint32(at + 12));
  }
  return {};
}

/** `text` has one character for each byte. */
function startsWith(bytes: Uint8Array, text: string, at = 0): boolean {
  if (bytes.length < at + text.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** Binary files show themselves soon: by a NUL, or by a control character near their start. */
const LOOKED_AT = 64 * 1024;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const BINARY_CHARS = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/;

function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0) || !isUtf8(bytes)) return false;
  return !BINARY_CHARS.test(Buffer.from(bytes.subarray(0, LOOKED_AT)).toString('latin1'));
}
