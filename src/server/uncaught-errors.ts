import { writeSync } from 'node:fs';
import { faultLine } from './http/errors.ts';

const STDERR_FD = 2;

/**
 * An uncaught error does not end the process while it serves others. It is a bug of ours, so it is logged in one line
 * and counted. Committed events are on the disk, and nothing else is promised.
 */
export function surviveUncaughtErrors(redact: (text: string) => string, onError: () => void): () => void {
  // Unhandled rejections arrive here too.
  const onUncaught = (error: unknown) => {
    onError();
    writeStderr(redact(`Unhandled error (please report it): ${faultLine(error)}`));
  };
  process.on('uncaughtException', onUncaught);
  return () => void process.off('uncaughtException', onUncaught);
}

/** Writes synchronously, without an error event: a failure to write to a closed stderr must not end up here. */
function writeStderr(line: string): void {
  try {
    writeSync(STDERR_FD, `${line}\n`);
  } catch {
    // The error is counted anyway.
  }
}
