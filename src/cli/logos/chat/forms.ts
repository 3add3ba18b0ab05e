import type { ThreadClient } from '../../../client/index.ts';
import { type Exchange, newestTerms } from '../../../core/exchange/state.ts';
import { parseNumber } from '../../input/numbers.ts';
import type { ThreadCommandResult } from '../../threads/send.ts';
import { parseRound, parseTerms, requireReason } from '../input.ts';

/** A series of questions on the last line of the screen, and the action for their answers. */
export interface ChatForm {
  readonly questions: readonly { readonly label: string; readonly optional?: true }[];
  readonly answers: readonly string[];
  readonly text: string;
  send(thread: ThreadClient, answers: readonly string[]): Promise<ThreadCommandResult>;
  readonly confirmation: string;
}

type ChatFormSpec = Pick<ChatForm, 'questions' | 'send' | 'confirmation'>;

const REASON_QUESTION = { label: 'Why' };
const TERMS_QUESTION = { label: 'New terms as key=value, or nothing', optional: true } as const;
const ROUND_QUESTION = { label: 'Back to which round (0: the beginning)' };

/** The form a key opens in the current state; undefined if the key does nothing now. */
export function formFor(key: string, exchange: Exchange): ChatForm | undefined {
  const spec = exchange.pending
    ? (decisionForm(key, exchange) ?? messageForm(key, exchange))
    : (messageForm(key, exchange) ?? actionForm(key, exchange));
  return spec && { ...spec, answers: [], text: '' };
}

/** The five answers to a request for a restart (X8). */
function decisionForm(key: string, exchange: Exchange): ChatFormSpec | undefined {
  const currentTerms = newestTerms(exchange).terms;
  const termsField = (text: string | undefined) => {
    const changes = parseTerms(splitWords(text), currentTerms);
    return changes && { set: changes };
  };
  switch (key) {
    case 'b':
      return {
        questions: [TERMS_QUESTION, REASON_QUESTION],
        send: (thread, [terms, why]) =>
          thread.command('decide', { decision: 'branch', reason: reasonOf(why), ...termsField(terms) }),
        confirmation: 'The exchange continues in a branch: this one.',
      };
    case 'l':
      return {
        questions: [ROUND_QUESTION, REASON_QUESTION],
        send: (thread, [round = '', why]) =>
          thread.command('decide', { decision: 'rollback', round: parseRound(round), reason: reasonOf(why) }),
        confirmation: 'The exchange continues from there in a branch: this one.',
      };
    case 'm':
      return {
        questions: [{ label: 'New terms as key=value' }, REASON_QUESTION],
        send: (thread, [terms, why]) =>
          thread.command('decide', { decision: 'amend', reason: reasonOf(why), ...termsField(terms) }),
        confirmation: 'The terms change; the minds learn of it one round earlier.',
      };
    case 'k':
      return {
        questions: [REASON_QUESTION],
        send: (thread, [why]) => thread.command('decide', { decision: 'acknowledge', reason: reasonOf(why) }),
        confirmation: 'The minds see that you acknowledged it.',
      };
    case 'h':
      return {
        questions: [REASON_QUESTION],
        send: (thread, [why]) => thread.command('decide', { decision: 'halt', reason: reasonOf(why) }),
        confirmation: 'The exchange has ended.',
      };
    default:
      return undefined;
  }
}

function messageForm(key: string, { awaiting }: Exchange): ChatFormSpec | undefined {
  if (key === 'o' || key === 'enter') {
    return {
      questions: [{ label: awaiting === undefined ? 'Observer' : `Your answer to audit ${awaiting}` }],
      send: (thread, [text = '']) => thread.command('observe', { text }),
      confirmation: 'The minds see it.',
    };
  }
  if (key !== 'i') return undefined;
  return {
    questions: [{ label: 'A message from outside' }],
    send: (thread, [text = '']) => thread.command('inject', { text }),
    confirmation: 'The minds see it until the next audit.',
  };
}

function actionForm(key: string, exchange: Exchange): ChatFormSpec | undefined {
  const { halted, auditDue } = exchange;
  switch (key) {
    case 'm':
      return {
        questions: [{ label: 'New terms as key=value' }, { label: 'Why, or nothing', optional: true }],
        send: (thread, [terms, why]) =>
          thread.command('amend', {
            set: parseTerms(splitWords(terms), newestTerms(exchange).terms) ?? {},
            ...(why && { reason: why }),
          }),
        confirmation: 'The terms will change as announced.',
      };
    case 's':
      if (!auditDue) return undefined;
      return {
        questions: [{ label: 'Why skip the audit' }],
        send: (thread, [why]) => thread.command('skip_audit', { reason: reasonOf(why) }),
        confirmation: 'The exchange continues without this audit.',
      };
    case 'r':
      return {
        questions: [{ label: 'How many rounds' }],
        send: (thread, [roundsText = '']) => thread.command('run', { rounds: parseNumber(roundsText, 'rounds') }),
        confirmation: 'The minds are thinking.',
      };
    case 'v':
      return {
        questions: [{ label: 'Hide which thought' }, REASON_QUESTION],
        send: (thread, [thought = '', why]) =>
          thread.command('veto', { thought: parseNumber(thought, 'a thought'), reason: reasonOf(why) }),
        confirmation: 'It is hidden from the minds.',
      };
    case 'h':
      return {
        questions: [{ label: 'Why end the exchange' }],
        send: (thread, [why]) => thread.command('halt', { reason: reasonOf(why) }),
        confirmation: 'The exchange has ended.',
      };
    case 'b':
      if (!halted) return undefined;
      return {
        questions: [REASON_QUESTION],
        send: (thread, [why]) => thread.command('branch', { reason: reasonOf(why) }),
        confirmation: 'This is the new branch.',
      };
    case 'l':
      return {
        questions: [ROUND_QUESTION, REASON_QUESTION],
        send: (thread, [round = '', why]) =>
          thread.command('rollback', { round: parseRound(round), reason: reasonOf(why) }),
        confirmation: 'This is the new branch from that round.',
      };
    default:
      return undefined;
  }
}

function reasonOf(text: string | undefined): string {
  return requireReason([], text);
}

function splitWords(text: string | undefined): readonly string[] {
  return (text ?? '').split(/\s+/).filter(Boolean);
}
