/** A file that cannot be used as given; the message says where the problem is and what to do. */
export class BadFile extends Error {
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}
