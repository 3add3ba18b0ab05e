/*
 * A JSON reader for files we did not write. Unlike JSON.parse it keeps long
 * integers exactly (ids are often numbers of 19 digits), reports duplicate
 * keys, accepts the NaN and Infinity that Python writes, and says where a file
 * is broken. It keeps its own stack, so no depth overflows it.
 */

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

export interface ParsedJson {
  readonly value: JsonValue;
  readonly duplicateKeys: readonly string[];
}

export interface JsonProblem {
  readonly problem: string;
}

type JsonFrame =
  | { readonly array: JsonValue[]; readonly object?: undefined; key?: undefined }
  | { readonly array?: undefined; readonly object: { [key: string]: JsonValue }; key: string };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LITERALS = new Map<string, JsonValue>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['NaN', null],
  ['Infinity', null],
  ['-Infinity', null],
]);

export function parseLooseJson(text: string): ParsedJson | JsonProblem {
  const duplicateKeys: string[] = [];
  const stack: JsonFrame[] = [];
  let position = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let failure: string | undefined;
  let backslash = text.indexOf('\\');
  const keyCache: string[] = [];

  for (;;) {
    // 1. One value begins here.
    skipSpace();
    const code = text.charCodeAt(position);
    let value: JsonValue | undefined;
    if (code === 0x7b) {
      position++;
      const object: { [key: string]: JsonValue } = {};
      skipSpace();
      if (text.charCodeAt(position) === 0x7d) {
        position++;
        value = object;
      } else {
        const frame = { object, key: '' };
        stack.push(frame);
        if (!readKey(frame)) break;
        continue;
      }
    } else if (code === 0x5b) {
      position++;
      const array: JsonValue[] = [];
      skipSpace();
      if (text.charCodeAt(position) === 0x5d) {
        position++;
        value = array;
      } else {
        stack.push({ array });
        continue;
      }
    } else value = code === QUOTE ? readString() : readScalar();
    if (value === undefined) break;

    // 2. It goes where it belongs, and closes whatever ends after it.
    for (;;) {
      const frame = stack[stack.length - 1];
      if (frame === undefined) {
        skipSpace();
        if (position >= text.length) return { value, duplicateKeys };
        failure = 'there is more after the end of the value';
        break;
      }
      if (frame.array) frame.array.push(value);
      else setKey(frame.object, frame.key, value);
      skipSpace();
      const next = text.charCodeAt(position);
      if (next === 0x2c) {
        position++;
        if (frame.object) readKey(frame);
        break;
      }
      if (next !== (frame.array ? 0x5d : 0x7d)) {
        failure =
          position >= text.length
            ? 'the file ends too early'
            : `${currentCharacter()} found where , or a closing bracket should be`;
        break;
      }
      position++;
      value = (frame.array ?? frame.object) as JsonValue;
      stack.pop();
    }
    if (failure !== undefined) break;
  }
  return { problem: `${failure ?? 'it is not JSON'} (line ${lineOf(text, position)})` };

  function readKey(frame: { object: { [key: string]: JsonValue }; key: string }): boolean {
    skipSpace();
    if (text.charCodeAt(position) !== QUOTE) {
      failure =
        position >= text.length ? 'the file ends too early' : `${currentCharacter()} found where a key should be`;
      return false;
    }
    const key = cachedKey() ?? readString();
    if (key === undefined) return false;
    skipSpace();
    if (text.charCodeAt(position) !== 0x3a) {
      failure = position >= text.length ? 'the file ends too early' : `${currentCharacter()} found where : should be`;
      return false;
    }
    position++;
    if (Object.hasOwn(frame.object, key) && duplicateKeys.length < 1000) duplicateKeys.push(key);
    frame.key = key;
    return true;
  }

  /** Reuses the string of a key seen before, which saves memory. */
  function cachedKey(): string | undefined {
    const start = position + 1;
    const end = text.indexOf('"', start);
    if (end - start < 1 || end - start > 64) return undefined;
    const slot = (text.charCodeAt(start) + 7 * text.charCodeAt(end - 1) + 31 * (end - start)) & 255;
    const cached = keyCache[slot];
    if (cached !== undefined && cached.length === end - start && text.startsWith(cached, start)) {
      position = end + 1;
      return cached;
    }
    if (hasEscape(start, end)) return undefined;
    position = end + 1;
    keyCache[slot] = text.slice(start, end);
    return keyCache[slot];
  }

  function readString(): string | undefined {
    const start = ++position;
    let end = text.indexOf('"', start);
    if (end >= 0 && !hasEscape(start, end)) {
      position = end + 1;
      return text.slice(start, end);
    }
    for (end = start; end < text.length && text.charCodeAt(end) !== QUOTE; end++)
      if (text.charCodeAt(end) === BACKSLASH) end++;
    if (end >= text.length) {
      position = text.length;
      failure = 'the file ends inside a text';
      return undefined;
    }
    position = end + 1;
    try {
      const inner = text.slice(start, end);
      // Raw line breaks are not JSON, but programs write them.
      return JSON.parse(`"${inner.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')}"`);
    } catch {
      position = start;
      failure = 'a text has a broken escape';
      return undefined;
    }
  }

  function hasEscape(start: number, end: number): boolean {
    if (backslash >= 0 && backslash < start) backslash = text.indexOf('\\', start);
    return backslash >= 0 && backslash < end;
  }

  function readScalar(): JsonValue | undefined {
    const start = position;
    while (position < text.length && isScalarCode(text.charCodeAt(position))) position++;
    const word = text.slice(start, position);
    if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(word)) {
      const number = Number(word);
      if (Number.isFinite(number) && (word.length < 16 || !/^-?\d+$/.test(word) || Number.isSafeInteger(number)))
        return number;
      return word;
    }
    const literal = LITERALS.get(word);
    if (literal !== undefined) return literal;
    position = start;
    failure = position >= text.length ? 'the file ends too early' : `${currentCharacter()} is not a value`;
    return undefined;
  }

  function skipSpace() {
    for (; position < text.length; position++) {
      const code = text.charCodeAt(position);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    }
  }

  function currentCharacter(): string {
    return `"${String.fromCodePoint(text.codePointAt(position) ?? 0xfffd).toWellFormed()}"`;
  }
}

function setKey(object: { [key: string]: JsonValue }, key: string, value: JsonValue) {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

function isScalarCode(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    code === 0x2b ||
    code === 0x2d ||
    code === 0x2e
  );
}

function lineOf(text: string, position: number): number {
  let line = 1;
  for (let next = text.indexOf('\n'); next >= 0 && next < position; next = text.indexOf('\n', next + 1)) line++;
  return line;
}
