import type { Client } from '../../../client/index.ts';
import { type Exchange, newestTerms } from '../../../core/exchange/state.ts';
import { numberIn } from '../../output/numbers.ts';
import type { Done } from '../../threads/send.ts';
import { reasonIn, roundIn, termsIn } from '../input.ts';

type Thread = ReturnType<Client['thread']>;

/** Questions on the last line of the screen, one after the other, and what is done with the answers. */
export interface Form {
  readonly questions: readonly { readonly label: string; readonly optional?: true }[];
  readonly answers: readonly string[];
  readonly text: string;
  send(thread: Thread, answers: readonly string[]): Promise<Done>;
  readonly told: string;
}

type Begun = Pick<Form, 'questions' | 'send' | 'told'>;

const WHY = { label: 'Why' };
const TERMS = { label: 'New terms as key=value, or nothing', optional: true } as const;
const ROUND = { label: 'Back to which round (0: the beginning)' };

/** What a key asks for, as things stand; undefined for a key that means nothing now. */
export function formFor(key: string, exchange: Exchange): Form | undefined {
  const begun = exchange.pending
    ? (decisions(key, exchange) ?? spoken(key, exchange))
    : (spoken(key, exchange) ?? others(key, exchange));
  return begun && { ...begun, answers: [], text: '' };
}

/** The five answers to a request for a restart (X8). */
function decisions(key: string, exchange: Exchange): Begun | undefined {
  const before = newestTerms(exchange).terms;
  const set = (text: string | undefined) => {
    const changes = termsIn(wordsIn(text), before);
    return changes && { set: changes };
  };
  switch (key) {
    case 'b':
      return {
        questions: [TERMS, WHY],
        send: (thread, [terms, why]) =>
          thread.command('decide', { decision: 'branch', reason: reason(why), ...set(terms) }),
        told: 'It goes on in a branch: this one.',
      };
    case 'l':
      return {
        questions: [ROUND, WHY],
        send: (thread, [round = '', why]) =>
          thread.command('decide', { decision: 'rollback', round: roundIn(round), reason: reason(why) }),
        told: 'It goes on from there in a branch: this one.',
      };
    case 'm':
      return {
        questions: [{ label: 'New terms as key=value' }, WHY],
        send: (thread, [terms, why]) =>
          thread.command('decide', { decision: 'amend', reason: reason(why), ...set(terms) }),
        told: 'The terms change; the pool is told a round before.',
      };
    case 'k':
      return {
        questions: [WHY],
        send: (thread, [why]) => thread.command('decide', { decision: 'acknowledge', reason: reason(why) }),
        told: 'The pool is told that you heard it.',
      };
    case 'h':
      return {
        questions: [WHY],
        send: (thread, [why]) => thread.command('decide', { decision: 'halt', reason: reason(why) }),
        told: 'The exchange has ended.',
      };
    default:
      return undefined;
  }
}

function spoken(key: string, { awaiting }: Exchange): Begun | undefined {
  if (key === 'o' || key === 'enter') {
    return {
      questions: [{ label: awaiting === undefined ? 'Observer' : `Your answer to audit ${awaiting}` }],
      send: (thread, [text = '']) => thread.command('observe', { text }),
      told: 'The minds see it.',
    };
  }
  if (key !== 'i') return undefined;
  return {
    questions: [{ label: 'A message from outside' }],
    send: (thread, [text = '']) => thread.command('inject', { text }),
    told: 'The minds see it until the next audit.',
  };
}

function others(key: string, exchange: Exchange): Begun | undefined {
  const { halted, auditDue } = exchange;
  switch (key) {
    case 'm':
      return {
        questions: [{ label: 'New terms as key=value' }, { label: 'Why, or nothing', optional: true }],
        send: (thread, [terms, why]) =>
          thread.command('amend', {
            set: termsIn(wordsIn(terms), newestTerms(exchange).terms) ?? {},
            ...(why && { reason: why }),
          }),
        told: 'The terms change, as announced.',
      };
    case 's':
      if (!auditDue) return undefined;
      return {
        questions: [{ label: 'Skip the audit that is due: why' }],
        send: (thread, [why]) => thread.command('skip_audit', { reason: reason(why) }),
        told: 'It goes on without this audit.',
      };
    case 'r':
      return {
        questions: [{ label: 'How many rounds' }],
        send: (thread, [many = '']) => thread.command('run_rounds', { rounds: numberIn(many, 'rounds') }),
        told: 'The minds think.',
      };
    case 'v':
      return {
        questions: [{ label: 'Hide which thought' }, WHY],
        send: (thread, [thought = '', why]) =>
          thread.command('veto', { thought: numberIn(thought, 'a thought'), reason: reason(why) }),
        told: 'It is hidden from the minds.',
      };
    case 'h':
      return {
        questions: [{ label: 'End the exchange: why' }],
        send: (thread, [why]) => thread.command('halt', { reason: reason(why) }),
        told: 'The exchange has ended.',
      };
    case 'b':
      if (!halted) return undefined;
      return {
        questions: [WHY],
        send: (thread, [why]) => thread.command('branch', { reason: reason(why) }),
        told: 'This is a branch of it.',
      };
    case 'l':
      return {
        questions: [ROUND, WHY],
        send: (thread, [round = '', why]) => thread.command('rollback', { round: roundIn(round), reason: reason(why) }),
        told: 'This is a branch from there.',
      };
    default:
      return undefined;
  }
}

function reason(text: string | undefined): string {
  return reasonIn([], text);
}

function wordsIn(text: string | undefined): readonly string[] {
  return (text ?? '').split(/\s+/).filter(Boolean);
}
