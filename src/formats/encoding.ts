/** A command, ready to copy, that converts a file from another encoding to UTF-8. */
export function conversionCommand(firstBytes: Uint8Array, file: string): string {
  const name = /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
  return `iconv -f ${detectEncoding(firstBytes)} -t UTF-8 ${name} > ${name.replace(/('?)$/, '.utf8$1')}`;
}

/** Windows programs start UTF-16 files with a byte order mark; most other old text is in this one encoding. */
export function detectEncoding([first, second]: Uint8Array): string {
  const hasByteOrderMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return hasByteOrderMark ? 'UTF-16' : 'WINDOWS-1252';
}
