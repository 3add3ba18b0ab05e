import { writeSync } from 'node:fs';
import { faultLine } from './http/errors.ts';

const STANDARD_ERROR = 2;

/**
 * While others are served, an error that nobody caught does not end the
 * process: it is a mistake of ours, so it is told in one line, and counted.
 * What was committed is on the disk, and nothing else is promised.
 */
export function keepServing(clean: (text: string) => string, onError: () => void): () => void {
  // Rejections that nobody handled come here too.
  const told = (error: unknown) => {
    onError();
    tell(clean(`An error that nobody handled (please report it): ${faultLine(error)}`));
  };
  process.on('uncaughtException', told);
  return () => void process.off('uncaughtException', told);
}

/** At once, and without an event: where nobody reads this, a failure to write must not come here again. */
function tell(line: string): void {
  try {
    writeSync(STANDARD_ERROR, `${line}\n`);
  } catch {
    // It is counted all the same.
  }
}
