import type { ThreadRow, WireUsage } from '../../src/client/index.ts';
import { linkTo, linkToConversation } from '../../src/core/link.ts';
import { formatNumber } from '../../src/core/text/format-number.ts';
import { formatMoney } from '../../src/core/text/money.ts';
import { getOwn } from '../../src/core/util/get-own.ts';

/** One thing that waits for this person, in words, with a link to it. */
export interface InboxNeed {
  /** Stays the same as long as the need does. */
  readonly key: string;
  /** The need's thread; absent for the workspace budget. */
  readonly row?: ThreadRow;
  readonly words: string;
  readonly link: string;
  readonly ts?: string;
  /** It can wait: it is listed but not announced. */
  readonly quiet?: true;
}

export interface NeedsInput {
  readonly rows: Iterable<ThreadRow>;
  readonly me: string;
  /** The seq the person has read up to; undefined if nothing counts as unread. */
  readUpTo(row: ThreadRow): number | undefined;
  readonly usage?: WireUsage | undefined;
}

/** The used share of a budget at which it counts as nearly used. */
const NEARLY_USED = 0.9;

/** Everything that waits for this person; nothing else decides this. Urgent needs first, newest first in each group. */
export function needsOf({ rows, me, readUpTo, usage }: NeedsInput): readonly InboxNeed[] {
  const usageByThread = new Map(usage?.threads.map((each) => [each.thread, each]));
  const needs: InboxNeed[] = [];
  if (usage) needs.push(...budgetNeeds('the workspace', usage.budgets.workspace, usage.total, '/settings#budget'));
  for (const row of rows) {
    const limit = usage && { ...usage.budgets.thread, ...row.budget };
    const threadUsage = usageByThread.get(row.id);
    if (limit && threadUsage) needs.push(...budgetNeeds('this thread', limit, threadUsage, linkTo(row), row));
    if (row.kind === 'dialogue') needs.push(...dialogueNeeds(row));
    if (row.kind === 'exchange') needs.push(...exchangeNeeds(row, readUpTo(row)));
    if (row.wants) needs.push(...conversationNeeds(row, me, readUpTo(row)));
  }
  return needs.sort((a, b) => Number(a.quiet ?? false) - Number(b.quiet ?? false) || compareNewestFirst(a, b));
}

/** The facts a dialogue puts into its row (core/dialogue). */
interface DialogueRowFacts {
  readonly attention?: string;
  readonly turn?: number | null;
  readonly draft?: number;
  readonly held?: string;
  readonly empty?: true;
}

function dialogueNeeds(row: ThreadRow): readonly InboxNeed[] {
  const { attention, turn, draft, held, empty } = (row.about ?? {}) as DialogueRowFacts;
  if (!turn) return [];
  const at = draft ? `${turn}.${draft}` : String(turn);
  const createNeed = (topic: string, words: string, more: { readonly quiet?: true } = {}): readonly InboxNeed[] => [
    { ...threadNeed(row, `${topic} ${at}`, words, linkTo(row, at)), ...more },
  ];
  if (held !== undefined)
    return createNeed(
      'held',
      `${draft ? `Draft ${draft} waits` : 'Your message waits'}; the mind stopped: ${firstSentence(held)}`,
    );
  if (attention === 'needs_you') {
    const reason = empty ? 'the model answered with nothing' : 'the mind has nothing to add';
    return createNeed('draft', `Draft ${draft} waits for you; ${reason}`);
  }
  if (attention === 'publishable') return createNeed('draft', `Draft ${draft} could be sent as it is`, { quiet: true });
  if (row.working || row.paused) return [];
  const subject = draft ? `Draft ${draft}` : 'Your message';
  return createNeed('left', `${subject} waits; nobody is thinking now`, { quiet: true });
}

/** The facts an exchange puts into its row (core/exchange). */
interface ExchangeRowFacts {
  readonly attention?: string;
  readonly restart?: number;
  readonly awaiting?: number;
  readonly answered?: number;
  readonly audit?: { readonly audit: number; readonly seq: number; readonly ts: string };
  readonly why?: string;
}

function exchangeNeeds(row: ThreadRow, readUpTo: number | undefined): readonly InboxNeed[] {
  const { attention, restart, awaiting, answered = 0, audit, why } = (row.about ?? {}) as ExchangeRowFacts;
  const needs: InboxNeed[] = [];
  if (attention === 'needs_you') {
    if (restart !== undefined) {
      needs.push(threadNeed(row, `restart ${restart}`, `${why} You decide`, linkTo(row)));
    } else {
      const topic = awaiting === undefined ? 'held' : `audit ${awaiting}`;
      const link = linkTo(row, awaiting === undefined ? undefined : `audit.${awaiting}`);
      needs.push(threadNeed(row, topic, (why ?? 'The rounds are held.').replace(/\.$/, ''), link));
    }
  }
  // Somebody who answers an audit has read it.
  const isSettled = audit && (audit.audit === awaiting || audit.audit <= answered);
  if (audit && !isSettled && readUpTo !== undefined && audit.seq > readUpTo) {
    const words = `Audit ${audit.audit} has not been read`;
    needs.push(threadNeed(row, `audit ${audit.audit}`, words, linkTo(row, `audit.${audit.audit}`), audit.ts));
  }
  return needs;
}

const ASK_PHRASES = {
  message: 'wrote to you',
  task: 'gave you a task',
  result: 'answered you',
  prod: 'prodded you',
  invite: 'invited you',
} as const;

function conversationNeeds(row: ThreadRow, me: string, readUpTo: number | undefined): readonly InboxNeed[] {
  const { drafts, stopped, asked: asks = {} } = row.wants ?? {};
  const needs: InboxNeed[] = [];
  const myAsk = getOwn(asks, me);
  if (myAsk && myAsk.seq > (readUpTo ?? 0)) {
    const { by, as, event, ts } = myAsk;
    const link = linkToConversation(row.id, event);
    needs.push(threadNeed(row, `asked ${event}`, `${by} ${ASK_PHRASES[as]}`, link, ts));
  }
  if (drafts) {
    const { count, event, by, ts } = drafts;
    const words =
      count === 1
        ? `${by} wrote a draft: post it or put it away`
        : `${count} drafts wait to be posted or put away, the newest by ${by}`;
    needs.push(threadNeed(row, `drafts ${ts}`, words, linkToConversation(row.id, event), ts));
  }
  if (stopped) {
    const words = 'Agents have stopped at a limit: let them go on, or answer';
    needs.push(threadNeed(row, 'stopped', words, linkToConversation(row.id)));
  }
  return needs;
}

function threadNeed(row: ThreadRow, topic: string, words: string, link: string, ts = row.last.ts): InboxNeed {
  return { key: `${row.id} ${topic}`, row, words, link, ts };
}

type InboxBudgetLimit = Pick<NonNullable<ThreadRow['budget']>, 'tokens' | 'money'>;
type InboxBudgetUsage = Pick<WireUsage['total'], 'promptTokens' | 'generatedTokens' | 'cost'>;

function budgetNeeds(
  owner: string,
  limit: InboxBudgetLimit,
  used: InboxBudgetUsage,
  link: string,
  row?: ThreadRow,
): readonly InboxNeed[] {
  const remaining = remainingBudget(limit, used);
  if (!remaining || remaining.part > 1 - NEARLY_USED) return [];
  const words = `The budget of ${owner} is ${remaining.part <= 0 ? 'used up' : 'nearly used'}: ${remaining.words}`;
  const topic = `budget ${remaining.part <= 0 ? 'over' : 'nearly'}`;
  return [row ? threadNeed(row, topic, words, link) : { key: `workspace ${topic}`, words, link }];
}

/** The scarcest remainder of a budget, as a fraction and in words. */
export function remainingBudget(
  limit: InboxBudgetLimit,
  used: InboxBudgetUsage,
): { readonly part: number; readonly words: string } | undefined {
  const tokens = used.promptTokens + used.generatedTokens;
  const remainders: { part: number; words: string }[] = [];
  if (limit.tokens !== undefined) {
    const words = `${formatTokens(limit.tokens - tokens)} of ${formatTokens(limit.tokens)} tokens left`;
    remainders.push({ part: 1 - tokens / limit.tokens, words });
  }
  if (limit.money !== undefined) {
    const words = `${formatMoney(limit.money - used.cost)} of ${formatMoney(limit.money)} left`;
    remainders.push({ part: 1 - used.cost / limit.money, words });
  }
  return remainders.sort((a, b) => a.part - b.part)[0];
}

function formatTokens(tokens: number): string {
  return formatNumber(Math.max(0, tokens));
}

/** A need without a time, such as a budget, counts as newest. */
function compareNewestFirst(a: InboxNeed, b: InboxNeed): number {
  const [first, second] = [a.ts ?? '~', b.ts ?? '~'];
  return first > second ? -1 : first < second ? 1 : 0;
}

/** The first sentence as the second part of another; the page behind the link says what to do about it. */
function firstSentence(text: string): string {
  return text.replace(/\.(\s.*)?$/s, '').replace(/^(The|It|You)\b/, (word) => word.toLowerCase());
}
