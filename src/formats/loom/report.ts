import { removeSecrets } from './secrets.ts';
import type { DroppedField, ImportProblem, LoomFormat, LoomImportReport } from './tree.ts';

const MAX_PLACES = 5;

/** Counts problems by kind and names the first few places, so that a file with a million of them has a short report. */
export interface ImportReporter {
  readonly format: LoomFormat;
  noteDropped(field: string, why: string, count?: number): void;
  noteProblem(what: string, where?: string): void;
  noteSecrets(count: number): void;
  report(nodes: number): LoomImportReport;
}

export function createImportReporter(format: LoomFormat): ImportReporter {
  const dropped = new Map<string, { field: string; count: number; why: string }>();
  const problems = new Map<string, { what: string; count: number; where: string[] }>();
  let secretsRemoved = 0;
  return {
    format,
    noteDropped(field, why, count = 1) {
      const name = reportName(field);
      const existing = dropped.get(name);
      if (existing) existing.count += count;
      // Each unknown key gets its own line, with a limit for hostile files with thousands of keys.
      else if (dropped.size < 200) dropped.set(name, { field: name, count, why });
      else this.noteDropped('…', 'other unknown fields', count);
    },
    noteProblem(what, where) {
      const existing = problems.get(what) ?? { what, count: 0, where: [] };
      existing.count++;
      if (where !== undefined && existing.where.length < MAX_PLACES) existing.where.push(reportName(where));
      problems.set(what, existing);
    },
    noteSecrets(count) {
      secretsRemoved += count;
    },
    report: (nodes) => ({
      format,
      nodes,
      dropped: [...dropped.values()] satisfies DroppedField[],
      secretsRemoved,
      problems: [...problems.values()] satisfies ImportProblem[],
    }),
  };
}

/** Makes a name from a file safe to store and show; a report must not contain secrets either. */
export function reportName(name: string): string {
  return removeSecrets(name).text.slice(0, 100).toWellFormed().replaceAll('\0', '\ufffd');
}
