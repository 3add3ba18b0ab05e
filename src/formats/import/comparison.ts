import { problemWithEvent } from '../../core/events/check.ts';
import type { Event, Json } from '../../core/events/event.ts';
import { checkSize, checkText } from '../../core/events/limits.ts';
import { isRefusal, type Refusal } from '../../core/refusal.ts';
import type { EventLog, Sealed, Stored } from '../../log/event-log.ts';
import { BadFile } from '../bad-file.ts';
import { type ItemAt, readExport } from '../export/jsonl.ts';
import type { Head } from '../verify/chain.ts';

/*
 * Hashes are chained, so two histories of a thread that agree at one event agree
 * on all before it: each thread is compared at one place only, where the shorter ends.
 */

const AT_ONCE = 100;

export interface ComparisonParts {
  /** Says no to text that must not be stored, such as one with a token in it (L17). */
  refuses?(body: string): Refusal | undefined;
  /** Whether known types must fit their schema (L25); a backup holds what its workspace held. */
  readonly strict?: boolean;
}

/** What is looked at of a log that a file is to go into. */
export type Compared = Pick<EventLog, 'head' | 'lastOf' | 'byId'>;

/** Holds a file against the log it is to go into; throws BadFile where the two do not fit. */
export function createComparison(log: Compared, path: string, { refuses, strict = true }: ComparisonParts) {
  /** The seq of each thread's own newest event in this log. */
  const heads = new Map<string, number>();
  const hashes = new Map<string, string>();
  const ids = createIds();
  let fresh: ItemAt[] = [];
  const begun = new Set<string>();
  let isEmpty: boolean | undefined;
  let lines = 0;

  async function compare(item: ItemAt): Promise<void> {
    lines = item.line;
    if (item.kind !== 'event') return;
    const { sealed, event, line } = item;
    const own = heads.get(sealed.thread) ?? (await ownHead(sealed.thread));
    if (sealed.seq === own && sealed.hash !== hashes.get(sealed.thread)) throw await divergence(sealed.thread);
    ids.add(sealed.id);
    const isFirst = !begun.has(sealed.thread) && begun.add(sealed.thread) && own === 0;
    if (sealed.seq <= own) return;
    const problem = problemWith(event, sealed, isFirst);
    if (problem) throw new BadFile(`Line ${line}: ${problem} Nothing was imported.`, line);
    isEmpty ??= (await log.head()) === 0;
    if (isEmpty) return;
    fresh.push(item);
    if (fresh.length === AT_ONCE) await checkFresh();
  }

  function problemWith(event: Event, { body }: Sealed, isFirst: boolean): string | undefined {
    const refused = checkText({ ...event } as unknown as Json) ?? checkSize(body, event.content) ?? refuses?.(body);
    if (isRefusal(refused)) return refused.refusal.message;
    if (event.type === 'thread.created' && !isFirst) return `It begins thread ${event.thread}, which has begun before.`;
    return strict ? problemWithEvent(event) : undefined;
  }

  async function finish(file: ReadonlyMap<string, Head>): Promise<void> {
    await checkFresh();
    for (const [thread, { seq, hash }] of file) {
      if ((heads.get(thread) ?? 0) <= seq) continue;
      if ((await log.lastOf(thread, seq))?.hash !== hash) throw await divergence(thread);
    }
    if (ids.hasDoubles()) await nameDouble();
  }

  async function ownHead(thread: string): Promise<number> {
    const last = await log.lastOf(thread);
    const own: Stored | undefined = last?.thread === thread ? last : undefined;
    heads.set(thread, own?.seq ?? 0);
    if (own) hashes.set(thread, own.hash);
    return own?.seq ?? 0;
  }

  /** An id belongs to one event. That it comes again is no accident, but it must not be found half-way. */
  async function checkFresh() {
    const found = await Promise.all(
      fresh.map((item) => (item.kind === 'event' ? log.byId(item.sealed.id) : undefined)),
    );
    const taken = found.findIndex((stored) => stored !== undefined);
    const item = fresh[taken];
    fresh = [];
    if (item?.kind === 'event') {
      const other = found[taken] as Stored;
      throw new BadFile(
        `Line ${item.line}: the id ${item.sealed.id} already belongs to event ${other.seq} of thread ${other.thread} here. Nothing was imported.`,
        item.line,
      );
    }
  }

  async function divergence(thread: string): Promise<BadFile> {
    for await (const item of readExport(path)) {
      if (item.kind !== 'event' || item.sealed.thread !== thread) continue;
      const { id, seq, hash } = item.sealed;
      const here = await log.lastOf(thread, seq);
      if (here?.hash === hash) continue;
      return new BadFile(
        `Thread ${thread} went on differently here: event ${seq} is ${here?.id} in this workspace and ${id} in the file (line ${item.line}). Nothing was imported. To keep both, import it into another workspace.`,
        item.line,
      );
    }
    return new BadFile(`Thread ${thread} is not the same here and in the file. Nothing was imported.`);
  }

  async function nameDouble(): Promise<void> {
    const seen = new Set<string>();
    for await (const item of readExport(path)) {
      if (item.kind !== 'event' || !ids.isSuspect(item.sealed.id)) continue;
      const { id } = item.sealed;
      if (seen.has(id)) {
        throw new BadFile(
          `Line ${item.line}: the id ${id} was used before in this file. Nothing was imported.`,
          item.line,
        );
      }
      seen.add(id);
    }
  }

  return { heads, compare, finish, lineReached: () => lines };
}

/** Finds ids that come twice in a million for 8 bytes each, where a set of them would take a hundred. */
function createIds() {
  let numbers = new Float64Array(1024);
  let count = 0;
  const suspects = new Set<number>();
  return {
    add(id: Sealed['id']) {
      if (count === numbers.length) {
        const larger = new Float64Array(count * 2);
        larger.set(numbers);
        numbers = larger;
      }
      numbers[count++] = numberOf(id);
    },
    hasDoubles(): boolean {
      const sorted = numbers.subarray(0, count).sort();
      for (let i = 1; i < count; i++) {
        if (sorted[i] === sorted[i - 1]) suspects.add(sorted[i] as number);
      }
      return suspects.size > 0;
    },
    isSuspect: (id: string) => suspects.has(numberOf(id)),
  };
}

/** 53 bits of FNV-1a, as two halves. Equal ids give equal numbers; the rare other way round is looked at again. */
function numberOf(id: string): number {
  let high = 0x811c9dc5;
  let low = 0xcbf29ce4;
  for (let i = 0; i < id.length; i++) {
    const unit = id.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ (unit + i), 0x01000197);
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
