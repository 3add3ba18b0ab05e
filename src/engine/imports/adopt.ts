import type { ThreadSummary } from '../../core/threads/view/schema.ts';
import { BadFile } from '../../formats/bad-file.ts';
import {
  type ImportProof,
  importFile,
  type LogImportOptions,
  type LogImportResult,
  proveImport,
} from '../../formats/import/import-file.ts';
import type { EventLog } from '../../log/event-log.ts';
import { RESTORE_IN_PROGRESS, THREAD_INDEX } from '../../log/record-kinds.ts';
import { createSecrets, type Secrets } from '../secrets.ts';
import { createIndexRows } from './index-rows.ts';

export type AdoptParts = Omit<LogImportOptions, 'derived' | 'refuses'>;

export interface AdoptResult extends LogImportResult {
  /** Imported threads with open work: it waits for a human, or continues if the workspace is the human's own (L25). */
  readonly open: readonly { readonly thread: string; readonly title: string }[];
}

/** A whole workspace can be restored only into an empty one. */
export class WorkspaceNotEmpty extends BadFile {
  readonly why: string;

  constructor(why: string) {
    super(`This workspace ${why} Nothing was changed.`);
    this.why = why;
  }
}

/** Imports an export into a workspace, with its index rows. */
export async function adopt(
  log: EventLog,
  path: string,
  parts: AdoptParts = {},
  secrets: Secrets = createSecrets(),
): Promise<AdoptResult> {
  const rowsOf = createIndexRows(log);
  const threads = new Set<string>();
  const move = parts.mine ? await prepareMove(log) : undefined;
  const importResult = await importFile(log, path, {
    ...parts,
    refuses: secrets.check,
    async derived(events, parsed) {
      for (const { thread } of events) threads.add(thread);
      return rowsOf(events, parsed);
    },
    async onProved(file) {
      await move?.begin(file);
      await parts.onProved?.(file);
    },
  });
  await move?.end();
  return { ...importResult, open: await openThreadsIn(log, threads) };
}

/** Verifies a backup before its target workspace is created. */
export function proveBackup(path: string, parts: AdoptParts, secrets: Secrets = createSecrets()): Promise<ImportProof> {
  return proveImport(path, { ...parts, refuses: secrets.check });
}

/** Marks the restore as in progress: until it ends the workspace is incomplete, and running it again finishes it. */
async function prepareMove(log: EventLog) {
  const restoringHead = await log.record(RESTORE_IN_PROGRESS, 'head');
  if (restoringHead === undefined && (await log.head()) > 0) {
    throw new WorkspaceNotEmpty(
      'already contains events. --mine needs an empty workspace; without it, "heddle import" adds the missing events.',
    );
  }
  return {
    async begin({ head, scope }: { readonly head: string; readonly scope?: string }) {
      if (scope !== undefined) {
        throw new BadFile(
          'This is an export of one thread, not of a workspace. Nothing was changed; import it with "heddle import" without --mine.',
        );
      }
      if (restoringHead !== undefined && restoringHead !== head) {
        throw new WorkspaceNotEmpty('contains part of another copy. Finish that import, or use an empty workspace.');
      }
      await log.putRecords([{ kind: RESTORE_IN_PROGRESS, key: 'head', value: head }]);
    },
    end: () => log.putRecords([{ kind: RESTORE_IN_PROGRESS, key: 'head', value: null }]),
  };
}

async function openThreadsIn(log: EventLog, threads: ReadonlySet<string>): Promise<AdoptResult['open']> {
  if (threads.size === 0) return [];
  const rows = (await log.records(THREAD_INDEX)).filter(({ key }) => threads.has(key));
  const summaries = rows.map(({ value }) => JSON.parse(value) as ThreadSummary);
  return summaries.filter(({ working }) => working).map(({ id, title }) => ({ thread: id, title }));
}
