import { HeddleRefusal, HeddleUnreachable } from '../client/index.ts';
import { BadFile } from '../formats/bad-file.ts';
import { NoSpace, StoreUnavailable } from '../log/event-log.ts';
import { explainFailure } from '../log/sqlite/errors.ts';

/** The exit codes of commands (C6). */
export const EXIT = { done: 0, failed: 1, usage: 2, refused: 3 } as const;

/** An expected failure of a command, with a sentence for the user. */
export class Failure extends Error {
  readonly code: string;
  readonly exit: number;
  /** Extra data for programs that read the error. */
  readonly details: object;

  constructor(code: string, message: string, exit: number = EXIT.failed, details: object = {}) {
    super(message);
    this.code = code;
    this.exit = exit;
    this.details = details;
  }
}

export function usageError(message: string): Failure {
  return new Failure('usage', message, EXIT.usage);
}

export interface ErrorReport {
  readonly code: string;
  readonly message: string;
  readonly exit: number;
  readonly details?: object;
}

/** Turns any error into a code, a sentence and an exit code. */
export function errorReportOf(error: unknown): ErrorReport {
  if (error instanceof Failure) return error;
  if (error instanceof HeddleRefusal) return refusalReport(error);
  if (!(error instanceof Error)) return { code: 'internal', message: String(error), exit: EXIT.failed };
  return {
    exit: EXIT.failed,
    ...(knownErrorReport(explainFailure(error) as Error) ??
      fileErrorReport(error) ?? { code: 'internal', message: error.stack ?? error.message }),
  };
}

/** Failures, not refusals: the store or a model is down, the disk is full, a file is bad, or something broke. */
const FAILURES = new Set(['store_unavailable', 'model_unavailable', 'no_space', 'bad_file', 'internal']);

function refusalReport({ code, details, message }: HeddleRefusal): ErrorReport {
  return { code, message, details, exit: FAILURES.has(code) ? EXIT.failed : EXIT.refused };
}

function knownErrorReport(error: Error): Omit<ErrorReport, 'exit'> | undefined {
  const { message } = error;
  if (error instanceof HeddleUnreachable) return { code: 'unreachable', message };
  if (error instanceof StoreUnavailable) return { code: 'store_unavailable', message };
  if (error instanceof NoSpace) return { code: 'no_space', message };
  if (error instanceof BadFile) return { code: 'bad_file', message };
  if (error.name === 'AbortError') return { code: 'stopped', message: 'Stopped.' };
  return undefined;
}

function fileErrorReport(error: Error): Omit<ErrorReport, 'exit'> | undefined {
  const { code, path } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    ENOENT: 'the file does not exist',
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EISDIR: 'it is a directory',
    ENOTDIR: 'part of that path is a file, not a directory',
    ENOSPC: 'the disk is full',
    EROFS: 'the disk is read-only',
  };
  const reason = reasons[code ?? ''];
  // A failed write does not name its file.
  if (code === 'ENOSPC' && path === undefined) {
    return { code: 'no_space', message: 'The disk is full. Free some space and try again.' };
  }
  if (!reason || path === undefined) return undefined;
  return { code: code === 'ENOSPC' ? 'no_space' : 'file', message: `${path}: ${reason}.` };
}
