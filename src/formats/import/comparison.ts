import { findEventProblem } from '../../core/events/check.ts';
import type { Event } from '../../core/events/event.ts';
import { checkSize, checkText } from '../../core/events/limits.ts';
import { isRefusal, type Refusal } from '../../core/refusal.ts';
import type { EventLog, SealedEvent, StoredEvent } from '../../log/event-log.ts';
import { BadFile } from '../bad-file.ts';
import { type ExportItemAt, readExport } from '../export/jsonl.ts';
import type { ChainHead } from '../verify/chain.ts';

/*
 * Hashes are chained, so two histories of a thread that agree at one event agree
 * on all before it: each thread is compared at one place only, where the shorter ends.
 */

const ID_BATCH_SIZE = 100;

export interface ComparisonOptions {
  /** Refuses text that must not be stored, such as text that contains a token (L17). */
  refuses?(body: string): Refusal | undefined;
  /** Whether known types must match their schema (L25); a backup may hold whatever its workspace held. */
  readonly strict?: boolean;
}

/** The parts of the target log that the comparison reads. */
export type ComparedLog = Pick<EventLog, 'head' | 'lastOf' | 'byId'>;

/** Compares a file with the log it is imported into; throws BadFile where the two conflict. */
export function createComparison(
  log: ComparedLog,
  path: string,
  { refuses: checkBody, strict = true }: ComparisonOptions,
) {
  /** The seq of each thread's own newest event in this log. */
  const heads = new Map<string, number>();
  const hashes = new Map<string, string>();
  const ids = createDuplicateFinder();
  let newItems: ExportItemAt[] = [];
  const startedThreads = new Set<string>();
  let isEmpty: boolean | undefined;
  let lastLine = 0;

  async function compareItem(item: ExportItemAt): Promise<void> {
    lastLine = item.line;
    if (item.kind !== 'event') return;
    const { sealed, event, line } = item;
    const ownSeq = heads.get(sealed.thread) ?? (await readOwnHead(sealed.thread));
    if (sealed.seq === ownSeq && sealed.hash !== hashes.get(sealed.thread)) throw await divergenceError(sealed.thread);
    ids.add(sealed.id);
    const isFirst = !startedThreads.has(sealed.thread) && startedThreads.add(sealed.thread) && ownSeq === 0;
    if (sealed.seq <= ownSeq) return;
    const problem = problemWith(event, sealed, isFirst);
    if (problem) throw new BadFile(`Line ${line}: ${problem} Nothing was imported.`, line);
    isEmpty ??= (await log.head()) === 0;
    if (isEmpty) return;
    newItems.push(item);
    if (newItems.length === ID_BATCH_SIZE) await checkNewIds();
  }

  function problemWith(event: Event, { body }: SealedEvent, isFirst: boolean): string | undefined {
    const refusal = checkText(event) ?? checkSize(body, event.content) ?? checkBody?.(body);
    if (isRefusal(refusal)) return refusal.refusal.message;
    if (event.type === 'thread.created' && !isFirst) return `It starts thread ${event.thread} a second time.`;
    return strict ? findEventProblem(event) : undefined;
  }

  async function finish(fileHeads: ReadonlyMap<string, ChainHead>): Promise<void> {
    await checkNewIds();
    for (const [thread, { seq, hash }] of fileHeads) {
      if ((heads.get(thread) ?? 0) <= seq) continue;
      if ((await log.lastOf(thread, seq))?.hash !== hash) throw await divergenceError(thread);
    }
    if (ids.hasDoubles()) await reportDuplicate();
  }

  async function readOwnHead(thread: string): Promise<number> {
    const last = await log.lastOf(thread);
    const ownEvent: StoredEvent | undefined = last?.thread === thread ? last : undefined;
    heads.set(thread, ownEvent?.seq ?? 0);
    if (ownEvent) hashes.set(thread, ownEvent.hash);
    return ownEvent?.seq ?? 0;
  }

  /**
   * An id belongs to one event. A repeated id is no accident, and it must not be discovered halfway through an
   * import.
   */
  async function checkNewIds() {
    const existing = await Promise.all(
      newItems.map((item) => (item.kind === 'event' ? log.byId(item.sealed.id) : undefined)),
    );
    const takenIndex = existing.findIndex((stored) => stored !== undefined);
    const item = newItems[takenIndex];
    newItems = [];
    if (item?.kind === 'event') {
      const other = existing[takenIndex] as StoredEvent;
      throw new BadFile(
        `Line ${item.line}: the id ${item.sealed.id} already belongs to event ${other.seq} of thread ${other.thread} here. Nothing was imported.`,
        item.line,
      );
    }
  }

  async function divergenceError(thread: string): Promise<BadFile> {
    for await (const item of readExport(path)) {
      if (item.kind !== 'event' || item.sealed.thread !== thread) continue;
      const { id, seq, hash } = item.sealed;
      const localEvent = await log.lastOf(thread, seq);
      if (localEvent?.hash === hash) continue;
      return new BadFile(
        `Thread ${thread} continued differently here: event ${seq} is ${localEvent?.id} in this workspace and ${id} in the file (line ${item.line}). Nothing was imported. To keep both, import it into another workspace.`,
        item.line,
      );
    }
    return new BadFile(`Thread ${thread} is not the same here and in the file. Nothing was imported.`);
  }

  async function reportDuplicate(): Promise<void> {
    const seenIds = new Set<string>();
    for await (const item of readExport(path)) {
      if (item.kind !== 'event' || !ids.isSuspect(item.sealed.id)) continue;
      const { id } = item.sealed;
      if (seenIds.has(id)) {
        throw new BadFile(
          `Line ${item.line}: the id ${id} was used before in this file. Nothing was imported.`,
          item.line,
        );
      }
      seenIds.add(id);
    }
  }

  return { heads, compare: compareItem, finish, lineReached: () => lastLine };
}

/** Finds duplicates among a million ids with 8 bytes per id; a set would take a hundred. */
function createDuplicateFinder() {
  let numbers = new Float64Array(1024);
  let count = 0;
  const suspects = new Set<number>();
  return {
    add(id: SealedEvent['id']) {
      if (count === numbers.length) {
        const larger = new Float64Array(count * 2);
        larger.set(numbers);
        numbers = larger;
      }
      numbers[count++] = hashId(id);
    },
    hasDoubles(): boolean {
      const sorted = numbers.subarray(0, count).sort();
      for (let i = 1; i < count; i++) {
        if (sorted[i] === sorted[i - 1]) suspects.add(sorted[i] as number);
      }
      return suspects.size > 0;
    },
    isSuspect: (id: string) => suspects.has(hashId(id)),
  };
}

/** 53 bits of FNV-1a, as two halves. Equal ids give equal numbers; the rare collision is checked again. */
function hashId(id: string): number {
  let high = 0x811c9dc5;
  let low = 0xcbf29ce4;
  for (let i = 0; i < id.length; i++) {
    const unit = id.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ (unit + i), 0x01000197);
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
