import { writeSync } from 'node:fs';
import { faultLine } from './http/errors.ts';

const STDERR_FD = 2;

/**
 * While others are served, an error that nobody caught does not end the
 * process: it is a mistake of ours, so it is told in one line, and counted.
 * What was committed is on the disk, and nothing else is promised.
 */
export function surviveUncaughtErrors(redact: (text: string) => string, onError: () => void): () => void {
  // Rejections that nobody handled come here too.
  const onUncaught = (error: unknown) => {
    onError();
    writeStderr(redact(`An error that nobody handled (please report it): ${faultLine(error)}`));
  };
  process.on('uncaughtException', onUncaught);
  return () => void process.off('uncaughtException', onUncaught);
}

/** At once, and without an event: where nobody reads this, a failure to write must not come here again. */
function writeStderr(line: string): void {
  try {
    writeSync(STDERR_FD, `${line}\n`);
  } catch {
    // It is counted all the same.
  }
}
