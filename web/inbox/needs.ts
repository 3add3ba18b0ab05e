import type { ThreadRow, WireUsage } from '../../src/client/index.ts';
import { linkTo, linkToSaid } from '../../src/core/link.ts';
import { formatMoney } from '../../src/core/text/money.ts';
import { own } from '../../src/core/util/get-own.ts';
import { numeral } from '../ui/numeral.ts';

/** One thing that waits for this person, in words, and where it is done. */
export interface Need {
  /** The same for as long as it is the same thing. */
  readonly key: string;
  /** The thread it is in; a budget of the workspace is in none. */
  readonly row?: ThreadRow;
  readonly words: string;
  readonly link: string;
  readonly ts?: string;
  /** It can wait: it is listed and not called out. */
  readonly quiet?: true;
}

export interface Known {
  readonly rows: Iterable<ThreadRow>;
  readonly me: string;
  /** Up to which seq the person has looked; undefined where nothing is news. */
  seen(row: ThreadRow): number | undefined;
  readonly usage?: WireUsage | undefined;
}

/** From this part of a budget on it is nearly used. */
const NEARLY = 0.9;

/** All that waits for this person: decided here and nowhere else. What cannot wait first, the newest of each first. */
export function needsOf({ rows, me, seen, usage }: Known): readonly Need[] {
  const used = new Map(usage?.threads.map((each) => [each.thread, each]));
  const needs: Need[] = [];
  if (usage) needs.push(...overBudget('the workspace', usage.budgets.workspace, usage.total, '/settings#budget'));
  for (const row of rows) {
    const limit = usage && { ...usage.budgets.thread, ...row.budget };
    const ofThread = used.get(row.id);
    if (limit && ofThread) needs.push(...overBudget('this thread', limit, ofThread, linkTo(row), row));
    if (row.kind === 'dialogue') needs.push(...ofDialogue(row));
    if (row.kind === 'exchange') needs.push(...ofExchange(row, seen(row)));
    if (row.wants) needs.push(...ofConversation(row, me, seen(row)));
  }
  return needs.sort((a, b) => Number(a.quiet ?? false) - Number(b.quiet ?? false) || newestFirst(a, b));
}

/** What a dialogue tells in its row (core/dialogue). */
interface AboutDialogue {
  readonly attention?: string;
  readonly turn?: number | null;
  readonly draft?: number;
  readonly held?: string;
  readonly empty?: true;
}

function ofDialogue(row: ThreadRow): readonly Need[] {
  const { attention, turn, draft, held, empty } = (row.about ?? {}) as AboutDialogue;
  if (!turn) return [];
  const at = draft ? `${turn}.${draft}` : String(turn);
  const need = (what: string, words: string, more: { readonly quiet?: true } = {}): readonly Need[] => [
    { key: `${row.id} ${what} ${at}`, row, words, link: linkTo(row, at), ts: row.last.ts, ...more },
  ];
  if (held !== undefined)
    return need(
      'held',
      `${draft ? `Draft ${draft} waits` : 'Your message waits'}; the mind stopped: ${firstSentence(held)}`,
    );
  if (attention === 'needs_you') {
    const silence = empty ? 'the model answered with nothing' : 'the mind has nothing to add';
    return need('draft', `Draft ${draft} waits for you; ${silence}`);
  }
  if (attention === 'publishable') return need('draft', `Draft ${draft} could be sent as it is`, { quiet: true });
  if (row.working || row.paused) return [];
  const what = draft ? `Draft ${draft}` : 'Your message';
  return need('left', `${what} waits; nobody is thinking now`, { quiet: true });
}

/** What an exchange tells in its row (core/exchange). */
interface AboutExchange {
  readonly attention?: string;
  readonly restart?: number;
  readonly awaiting?: number;
  readonly answered?: number;
  readonly audit?: { readonly audit: number; readonly seq: number; readonly ts: string };
  readonly why?: string;
}

function ofExchange(row: ThreadRow, seen: number | undefined): readonly Need[] {
  const { attention, restart, awaiting, answered = 0, audit, why } = (row.about ?? {}) as AboutExchange;
  const { ts } = row.last;
  const needs: Need[] = [];
  if (attention === 'needs_you') {
    if (restart !== undefined) {
      needs.push({ key: `${row.id} restart ${restart}`, row, words: `${why} You decide`, link: linkTo(row), ts });
    } else {
      const what = awaiting === undefined ? 'held' : `audit ${awaiting}`;
      const link = linkTo(row, awaiting === undefined ? undefined : `audit.${awaiting}`);
      needs.push({
        key: `${row.id} ${what}`,
        row,
        words: (why ?? 'The rounds are held.').replace(/\.$/, ''),
        link,
        ts,
      });
    }
  }
  // Who answers an audit has read it.
  const isSettled = audit && (audit.audit === awaiting || audit.audit <= answered);
  if (audit && !isSettled && seen !== undefined && audit.seq > seen) {
    const words = `Audit ${audit.audit} has not been read`;
    needs.push({
      key: `${row.id} audit ${audit.audit}`,
      row,
      words,
      link: linkTo(row, `audit.${audit.audit}`),
      ts: audit.ts,
    });
  }
  return needs;
}

const ASKED = {
  message: 'wrote to you',
  task: 'gave you a task',
  result: 'answered you',
  prod: 'prodded you',
  invite: 'invited you',
} as const;

function ofConversation(row: ThreadRow, me: string, seen: number | undefined): readonly Need[] {
  const { drafts, stopped, asked = {} } = row.wants ?? {};
  const needs: Need[] = [];
  const mine = own(asked, me);
  if (mine && mine.seq > (seen ?? 0)) {
    const words = `${mine.by} ${ASKED[mine.as]}`;
    needs.push({ key: `${row.id} asked ${mine.event}`, row, words, link: linkToSaid(row.id, mine.event), ts: mine.ts });
  }
  if (drafts) {
    const { count, event, by, ts } = drafts;
    const words =
      count === 1
        ? `${by} wrote a draft: post it or put it away`
        : `${count} drafts wait to be posted or put away, the newest by ${by}`;
    needs.push({ key: `${row.id} drafts ${ts}`, row, words, link: linkToSaid(row.id, event), ts });
  }
  if (stopped) {
    const words = 'Agents have stopped at a limit: let them go on, or answer';
    needs.push({ key: `${row.id} stopped`, row, words, link: linkToSaid(row.id), ts: row.last.ts });
  }
  return needs;
}

interface Limit {
  readonly tokens?: number | undefined;
  readonly money?: number | undefined;
}
type Used = Pick<WireUsage['total'], 'promptTokens' | 'generatedTokens' | 'cost'>;

function overBudget(whose: string, limit: Limit, used: Used, link: string, row?: ThreadRow): readonly Need[] {
  const left = leftOf(limit, used);
  if (!left || left.part > 1 - NEARLY) return [];
  const words = `The budget of ${whose} is ${left.part <= 0 ? 'used up' : 'nearly used'}: ${left.words}`;
  const key = `${row?.id ?? 'workspace'} budget ${left.part <= 0 ? 'over' : 'nearly'}`;
  return [{ key, ...(row && { row }), words, link, ...(row && { ts: row.last.ts }) }];
}

/** What is left of a budget, the scarcest first: as a part of it and in words. */
export function leftOf(limit: Limit, used: Used): { readonly part: number; readonly words: string } | undefined {
  const tokens = used.promptTokens + used.generatedTokens;
  const all = [
    ...(limit.tokens === undefined
      ? []
      : [
          {
            part: 1 - tokens / limit.tokens,
            words: `${amount(limit.tokens - tokens)} of ${amount(limit.tokens)} tokens left`,
          },
        ]),
    ...(limit.money === undefined
      ? []
      : [
          {
            part: 1 - used.cost / limit.money,
            words: `${formatMoney(limit.money - used.cost)} of ${formatMoney(limit.money)} left`,
          },
        ]),
  ];
  return all.sort((a, b) => a.part - b.part)[0];
}

function amount(tokens: number): string {
  return numeral(Math.max(0, tokens));
}

/** What has no time, such as a budget, is true now. */
function newestFirst(a: Need, b: Need): number {
  const [first, second] = [a.ts ?? '~', b.ts ?? '~'];
  return first > second ? -1 : first < second ? 1 : 0;
}

/** What to do about it is told where one is led. */
function firstSentence(text: string): string {
  return text.replace(/\.(\s.*)?$/s, '');
}
