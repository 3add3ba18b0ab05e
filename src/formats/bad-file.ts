/** A file that is not what it should be; the message says where and what to do. */
export class BadFile extends Error {
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}
