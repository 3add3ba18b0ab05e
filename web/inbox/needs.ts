import type { ThreadRow, WireUsage } from '../../src/client/index.ts';
import { linkTo, linkToConversation } from '../../src/core/link.ts';
import { formatNumber } from '../../src/core/text/format-number.ts';
import { formatMoney } from '../../src/core/text/money.ts';
import { formatCount, pluralize } from '../../src/core/text/pluralize.ts';
import { getOwn } from '../../src/core/util/get-own.ts';

/** What the person can do about a need, besides opening its place. */
export type NeedAction =
  | { readonly kind: 'accept'; readonly turn: number; readonly draft: number }
  | { readonly kind: 'answer'; readonly audit: number }
  | { readonly kind: 'post'; readonly index: number; readonly event: string }
  | { readonly kind: 'reply'; readonly event: string }
  /** A run that stopped and can go on. */
  | { readonly kind: 'resume' | 'run' }
  /** Agents that a limit stopped. */
  | { readonly kind: 'continue' }
  /** A restart request: it can be acknowledged at once, or decided in its room. */
  | { readonly kind: 'restart' }
  /** There is more to decide than fits on a card. */
  | { readonly kind: 'open'; readonly verb: string };

/** One thing that waits for this person, in words, with a link to it. */
export interface InboxNeed {
  /** Stays the same as long as the need does. */
  readonly key: string;
  /** The need's thread; absent for the workspace budget. */
  readonly row?: ThreadRow;
  /** Who asks; the sentence goes on from their name. Absent where nobody does: then it is the whole sentence. */
  readonly by?: string;
  readonly words: string;
  readonly link: string;
  readonly ts?: string;
  /** It can wait: it is listed but not announced. */
  readonly quiet?: true;
  /** More about it, in a few words: "103 words, 85% sure". */
  readonly facts?: string;
  /** The beginning of what waits. */
  readonly quote?: string;
  /** The event whose text is quoted, for what the row does not tell. */
  readonly quoted?: string;
  readonly action: NeedAction;
}

/** The need as a sentence, for a notification. */
export function needSentence(
  { row, by, words }: Pick<InboxNeed, 'row' | 'by' | 'words'>,
  nameIn: (row: ThreadRow | undefined, id: string) => string,
): string {
  return by === undefined ? words : `${nameIn(row, by)} ${words}`;
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
  if (usage) {
    const used = { ...usage.total, currency: usage.currency };
    needs.push(...budgetNeeds('the workspace', usage.budgets.workspace, used, '/settings#budget'));
  }
  for (const row of rows) {
    const limit = usage && { ...usage.budgets.thread, ...row.budget };
    const threadUsage = usageByThread.get(row.id);
    if (limit && threadUsage) {
      const used = { ...threadUsage, currency: usage.currency };
      needs.push(...budgetNeeds('this thread', limit, used, linkTo(row), row));
    }
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
  readonly by?: string;
  readonly text?: string;
  readonly words?: number;
  readonly confidence?: number;
  readonly held?: string;
  readonly empty?: true;
}

function dialogueNeeds(row: ThreadRow): readonly InboxNeed[] {
  const about = (row.about ?? {}) as DialogueRowFacts;
  const { attention, turn, draft, by, text, held, empty } = about;
  if (!turn) return [];
  const at = draft ? `${turn}.${draft}` : String(turn);
  const accept: NeedAction = draft ? { kind: 'accept', turn, draft } : { kind: 'run' };
  const more = {
    ...(by !== undefined && { by }),
    facts: draftFacts(about),
    ...(text !== undefined && { quote: text }),
  };
  const createNeed = (topic: string, words: string, action: NeedAction, isQuiet = false): readonly InboxNeed[] => [
    {
      ...{
        ...threadNeed(row, `${topic} ${at}`, by === undefined ? `The mind ${words}` : words, linkTo(row, at)),
        ...more,
        action,
      },
      ...(isQuiet && { quiet: true }),
    },
  ];
  if (held !== undefined) {
    const place = draft ? `after draft ${draft}` : 'before its first draft';
    return createNeed('held', `stopped ${place}: ${firstSentence(held)}`, { kind: 'resume' });
  }
  if (attention === 'needs_you')
    return createNeed('draft', empty ? `gave an empty answer after draft ${draft}` : `finished draft ${draft}`, accept);
  if (attention === 'publishable') return createNeed('draft', `says draft ${draft} could be sent`, accept, true);
  if (row.working || row.paused) return [];
  const words = draft ? `wrote draft ${draft} and has stopped` : 'has not started on your message';
  return createNeed('left', words, accept, true);
}

/** "103 words, 85% sure" */
function draftFacts({ words, confidence }: DialogueRowFacts): string {
  return [
    words !== undefined && pluralize(words, 'word'),
    confidence !== undefined && `${Math.round(confidence * 100)}% sure`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** The facts an exchange puts into its row (core/exchange). */
interface ExchangeRowFacts {
  readonly attention?: string;
  readonly restart?: number;
  readonly request?: { readonly by: string; readonly text: string };
  readonly awaiting?: number;
  readonly answered?: number;
  readonly audit?: {
    readonly audit: number;
    readonly seq: number;
    readonly ts: string;
    readonly by?: string;
    readonly text?: string;
  };
  readonly why?: string;
  readonly round?: number;
}

function exchangeNeeds(row: ThreadRow, readUpTo: number | undefined): readonly InboxNeed[] {
  const about = (row.about ?? {}) as ExchangeRowFacts;
  const { attention, restart, request, awaiting, answered = 0, audit, why = 'The rounds are paused.', round } = about;
  const facts = round ? `after round ${round}` : '';
  const quotedAudit = { by: audit?.by ?? 'auditor', ...(audit?.text !== undefined && { quote: audit.text }) };
  const needs: InboxNeed[] = [];
  if (attention === 'needs_you') {
    if (restart !== undefined) {
      const words = request ? 'asks for a restart' : 'The minds ask for a restart';
      needs.push({
        ...threadNeed(row, `restart ${restart}`, words, linkTo(row)),
        ...(request && { by: request.by, quote: request.text }),
        facts: facts && `paused ${facts}`,
        action: { kind: 'restart' },
      });
    } else if (awaiting !== undefined) {
      const link = linkTo(row, `audit.${awaiting}`);
      const need = threadNeed(row, `audit ${awaiting}`, `asks for your answer to audit ${awaiting}`, link);
      needs.push({ ...need, ...quotedAudit, facts, action: { kind: 'answer', audit: awaiting } });
    } else {
      const need = threadNeed(row, 'held', why.replace(/\.$/, ''), linkTo(row));
      needs.push({ ...need, facts, action: { kind: 'resume' } });
    }
  }
  // Somebody who answers an audit has read it.
  const isSettled = audit && (audit.audit === awaiting || audit.audit <= answered);
  if (audit && !isSettled && readUpTo !== undefined && audit.seq > readUpTo) {
    const link = linkTo(row, `audit.${audit.audit}`);
    const need = threadNeed(row, `audit ${audit.audit}`, `wrote audit ${audit.audit}`, link, audit.ts);
    needs.push({ ...need, ...quotedAudit, facts: 'not read yet', action: { kind: 'open', verb: 'Read' } });
  }
  return needs;
}

const ASK_PHRASES = {
  message: 'wrote to you',
  task: 'gave you a task',
  result: 'answered you',
  prod: 'asks you to reply',
  invite: 'invited you',
} as const;

function conversationNeeds(row: ThreadRow, me: string, readUpTo: number | undefined): readonly InboxNeed[] {
  const { drafts, stopped, asked: asks = {} } = row.wants ?? {};
  const needs: InboxNeed[] = [];
  const myAsk = getOwn(asks, me);
  if (myAsk && myAsk.seq > (readUpTo ?? 0)) {
    const { by, as, event, ts } = myAsk;
    const need = threadNeed(row, `asked ${event}`, ASK_PHRASES[as], linkToConversation(row.id, event), ts);
    const isText = as === 'message' || as === 'task' || as === 'result';
    needs.push({ ...need, by, ...(isText && { quoted: event }), action: { kind: 'reply', event } });
  }
  if (drafts) {
    const { count, event, by, ts, index, text } = drafts;
    const action: NeedAction = index === undefined ? { kind: 'open', verb: 'Read' } : { kind: 'post', index, event };
    const need = threadNeed(
      row,
      `drafts ${ts}`,
      'wrote a draft that waits for your approval',
      linkToConversation(row.id, event),
      ts,
    );
    const facts = count > 1 ? `${count - 1} more ${count === 2 ? 'waits' : 'wait'}` : '';
    needs.push({ ...need, by, facts, ...(text !== undefined && { quote: text }), action });
  }
  if (stopped) {
    const words = 'Agents stopped at a limit';
    const facts = `${formatCount(stopped, 'reply', 'replies')} not written`;
    needs.push({
      ...threadNeed(row, 'stopped', words, linkToConversation(row.id)),
      facts,
      action: { kind: 'continue' },
    });
  }
  return needs;
}

function threadNeed(row: ThreadRow, topic: string, words: string, link: string, ts = row.last.ts) {
  return { key: `${row.id} ${topic}`, row, words, link, ts };
}

type InboxBudgetLimit = Pick<NonNullable<ThreadRow['budget']>, 'tokens' | 'money'>;
type InboxBudgetUsage = Pick<WireUsage['total'], 'promptTokens' | 'generatedTokens' | 'cost'> & {
  readonly currency?: string;
};

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
  const action = { kind: 'open', verb: 'Change the budget' } as const;
  return [{ ...(row ? threadNeed(row, topic, words, link) : { key: `workspace ${topic}`, words, link }), action }];
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
    const words = `${formatMoney(limit.money - used.cost, used.currency)} of ${formatMoney(limit.money, used.currency)} left`;
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
