/*
 * A JSON reader for files we did not write. Unlike JSON.parse it keeps long
 * whole numbers exactly (ids are often numbers of 19 digits), tells of a key
 * that occurs twice, takes the NaN and Infinity that Python writes, and says
 * where a file is broken. It keeps its own stack: no depth overflows it.
 */

export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };

export interface ReadJson {
  readonly value: Value;
  readonly duplicateKeys: readonly string[];
}

export interface BadJson {
  readonly problem: string;
}

type Frame =
  | { readonly array: Value[]; readonly object?: undefined; key?: undefined }
  | { readonly array?: undefined; readonly object: { [key: string]: Value }; key: string };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const WORDS = new Map<string, Value>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['NaN', null],
  ['Infinity', null],
  ['-Infinity', null],
]);

export function readJson(text: string): ReadJson | BadJson {
  const duplicateKeys: string[] = [];
  const stack: Frame[] = [];
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let broken: string | undefined;
  let backslash = text.indexOf('\\');
  const keys: string[] = [];

  for (;;) {
    // 1. One value begins here.
    skipSpace();
    const code = text.charCodeAt(at);
    let value: Value | undefined;
    if (code === 0x7b) {
      at++;
      const object: { [key: string]: Value } = {};
      skipSpace();
      if (text.charCodeAt(at) === 0x7d) {
        at++;
        value = object;
      } else {
        const frame = { object, key: '' };
        stack.push(frame);
        if (!readKey(frame)) break;
        continue;
      }
    } else if (code === 0x5b) {
      at++;
      const array: Value[] = [];
      skipSpace();
      if (text.charCodeAt(at) === 0x5d) {
        at++;
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
        if (at >= text.length) return { value, duplicateKeys };
        broken = 'there is more after the end of the value';
        break;
      }
      if (frame.array) frame.array.push(value);
      else put(frame.object, frame.key, value);
      skipSpace();
      const next = text.charCodeAt(at);
      if (next === 0x2c) {
        at++;
        if (frame.object) readKey(frame);
        break;
      }
      if (next !== (frame.array ? 0x5d : 0x7d)) {
        broken =
          at >= text.length ? 'the file ends too early' : `${shown()} stands where , or a closing bracket should`;
        break;
      }
      at++;
      value = (frame.array ?? frame.object) as Value;
      stack.pop();
    }
    if (broken !== undefined) break;
  }
  return { problem: `${broken ?? 'it is not JSON'} (line ${lineOf(text, at)})` };

  function readKey(frame: { object: { [key: string]: Value }; key: string }): boolean {
    skipSpace();
    if (text.charCodeAt(at) !== QUOTE) {
      broken = at >= text.length ? 'the file ends too early' : `${shown()} stands where a key should`;
      return false;
    }
    const key = knownKey() ?? readString();
    if (key === undefined) return false;
    skipSpace();
    if (text.charCodeAt(at) !== 0x3a) {
      broken = at >= text.length ? 'the file ends too early' : `${shown()} stands where : should`;
      return false;
    }
    at++;
    if (Object.hasOwn(frame.object, key) && duplicateKeys.length < 1000) duplicateKeys.push(key);
    frame.key = key;
    return true;
  }

  /** Most keys were met before: the same string again costs no memory. */
  function knownKey(): string | undefined {
    const from = at + 1;
    const end = text.indexOf('"', from);
    if (end - from < 1 || end - from > 64) return undefined;
    const slot = (text.charCodeAt(from) + 7 * text.charCodeAt(end - 1) + 31 * (end - from)) & 255;
    const known = keys[slot];
    if (known !== undefined && known.length === end - from && text.startsWith(known, from)) {
      at = end + 1;
      return known;
    }
    if (hasEscape(from, end)) return undefined;
    at = end + 1;
    keys[slot] = text.slice(from, end);
    return keys[slot];
  }

  function readString(): string | undefined {
    const from = ++at;
    let end = text.indexOf('"', from);
    if (end >= 0 && !hasEscape(from, end)) {
      at = end + 1;
      return text.slice(from, end);
    }
    for (end = from; end < text.length && text.charCodeAt(end) !== QUOTE; end++)
      if (text.charCodeAt(end) === BACKSLASH) end++;
    if (end >= text.length) {
      at = text.length;
      broken = 'the file ends inside a text';
      return undefined;
    }
    at = end + 1;
    try {
      const inner = text.slice(from, end);
      // Raw line breaks are not JSON, but programs write them.
      return JSON.parse(`"${inner.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')}"`);
    } catch {
      at = from;
      broken = 'a text has a broken escape';
      return undefined;
    }
  }

  function hasEscape(from: number, end: number): boolean {
    if (backslash >= 0 && backslash < from) backslash = text.indexOf('\\', from);
    return backslash >= 0 && backslash < end;
  }

  function readScalar(): Value | undefined {
    const from = at;
    while (at < text.length && isScalar(text.charCodeAt(at))) at++;
    const word = text.slice(from, at);
    if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(word)) {
      const number = Number(word);
      if (Number.isFinite(number) && (word.length < 16 || !/^-?\d+$/.test(word) || Number.isSafeInteger(number)))
        return number;
      return word;
    }
    const known = WORDS.get(word);
    if (known !== undefined) return known;
    at = from;
    broken = at >= text.length ? 'the file ends too early' : `${shown()} is no value`;
    return undefined;
  }

  function skipSpace() {
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    }
  }

  function shown(): string {
    return `"${String.fromCodePoint(text.codePointAt(at) ?? 0xfffd).toWellFormed()}"`;
  }
}

function put(object: { [key: string]: Value }, key: string, value: Value) {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

function isScalar(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    code === 0x2b ||
    code === 0x2d ||
    code === 0x2e
  );
}

function lineOf(text: string, at: number): number {
  let line = 1;
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', next + 1)) line++;
  return line;
}
