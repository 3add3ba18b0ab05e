/** Lines at the bottom of a terminal that are redrawn in place, below the permanent output. */
export function createFooter(stream: NodeJS.WriteStream) {
  let lineCount = 0;

  /** The largest width of `lines`: each must fit on one terminal line. */
  function width(): number {
    return (stream.columns || 80) - 1;
  }

  function draw(lines: readonly string[]) {
    clear();
    stream.write(lines.join('\n'));
    lineCount = lines.length;
  }

  function clear() {
    if (lineCount > 0) stream.write(`\r\x1b[K${'\x1b[1A\r\x1b[K'.repeat(lineCount - 1)}`);
    lineCount = 0;
  }

  return { width, draw, clear, isDrawn: () => lineCount > 0 };
}
