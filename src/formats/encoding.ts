/** How to make UTF-8 of a file in another encoding, as a command to copy. */
export function conversionCommand(firstBytes: Uint8Array, file: string): string {
  const name = /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
  return `iconv -f ${detectEncoding(firstBytes)} -t UTF-8 ${name} > ${name.replace(/('?)$/, '.utf8$1')}`;
}

/** Windows programs write UTF-16 with a mark at its beginning; most other old text is of this one kind. */
export function detectEncoding([first, second]: Uint8Array): string {
  const hasByteOrderMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return hasByteOrderMark ? 'UTF-16' : 'WINDOWS-1252';
}
