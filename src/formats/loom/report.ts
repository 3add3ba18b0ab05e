import { withoutSecrets } from './secrets.ts';
import type { Dropped, ImportReport, LoomFormat, Problem } from './tree.ts';

const PLACES_NAMED = 5;

/** Counts by kind and names the first few places, so that a file with a million faults has a short report. */
export interface Reporter {
  readonly format: LoomFormat;
  dropped(field: string, why: string, count?: number): void;
  problem(what: string, where?: string): void;
  secrets(count: number): void;
  report(nodes: number): ImportReport;
}

export function createReporter(format: LoomFormat): Reporter {
  const dropped = new Map<string, { field: string; count: number; why: string }>();
  const problems = new Map<string, { what: string; count: number; where: string[] }>();
  let secretsRemoved = 0;
  return {
    format,
    dropped(field, why, count = 1) {
      const name = shown(field);
      const known = dropped.get(name);
      if (known) known.count += count;
      // Each unknown key has a line of its own until a hostile file has thousands of them.
      else if (dropped.size < 200) dropped.set(name, { field: name, count, why });
      else this.dropped('…', 'further unknown fields', count);
    },
    problem(what, where) {
      const known = problems.get(what) ?? { what, count: 0, where: [] };
      known.count++;
      if (where !== undefined && known.where.length < PLACES_NAMED) known.where.push(shown(where));
      problems.set(what, known);
    },
    secrets(count) {
      secretsRemoved += count;
    },
    report: (nodes) => ({
      format,
      nodes,
      dropped: [...dropped.values()] satisfies Dropped[],
      secretsRemoved,
      problems: [...problems.values()] satisfies Problem[],
    }),
  };
}

/** A name out of a file, as it may be stored and shown: a report is no place for a key either. */
export function shown(name: string): string {
  return withoutSecrets(name).text.slice(0, 100).toWellFormed().replaceAll('\0', '\ufffd');
}
