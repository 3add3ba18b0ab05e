import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Failure } from '../failure.ts';

/** A question to the user. An invalid answer is reported at once and the question is repeated. */
export interface TerminalQuestion {
  readonly text: string;
  /** The answer if the user just presses Enter. */
  readonly defaultAnswer?: string;
  /** Hides the answer while the user types it. */
  readonly isSecret?: boolean;
  /** Returns a sentence that says what is wrong with an answer. */
  check?(answer: string): string | undefined;
}

export interface Questionnaire {
  ask(question: TerminalQuestion): Promise<string>;
  close(): void;
}

/** Asks questions one at a time. Also accepts several answers pasted at once. */
export function openQuestionnaire(stopMessage = 'Stopped. Nothing was written.'): Questionnaire {
  const isTerminal = process.stdin.isTTY === true;
  let isSecret = false;
  const output = new Writable({
    write(piece, _, done) {
      if (!isSecret) process.stderr.write(piece);
      done();
    },
  });
  const reader = createInterface({ input: process.stdin, output, terminal: isTerminal });
  const lines = reader[Symbol.asyncIterator]();

  async function readAnswer({
    text,
    defaultAnswer = '',
    isSecret: isHidden = false,
  }: TerminalQuestion): Promise<string> {
    process.stderr.write(`${text}${defaultAnswer === '' ? '' : ` [${defaultAnswer}]`}: `);
    isSecret = isHidden;
    const { value, done } = await lines.next();
    isSecret = false;
    if (isHidden && isTerminal) process.stderr.write('\n');
    if (done) throw new Failure('stopped', stopMessage);
    return value.trim() || defaultAnswer;
  }

  return {
    async ask(question) {
      for (;;) {
        const answer = await readAnswer(question);
        const problem = question.check?.(answer);
        if (problem === undefined) return answer;
        process.stderr.write(`${problem}\n`);
      }
    },
    close: () => reader.close(),
  };
}
