import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Failure } from '../failure.ts';

/** A question to the person; what is wrong with an answer is said at once, and it is asked again. */
export interface TerminalQuestion {
  readonly text: string;
  /** What Enter takes. */
  readonly defaultAnswer?: string;
  /** Not shown while it is typed. */
  readonly isSecret?: boolean;
  /** What is wrong with an answer, in a sentence. */
  check?(answer: string): string | undefined;
}

export interface Questionnaire {
  ask(question: TerminalQuestion): Promise<string>;
  close(): void;
}

/** Questions one after the other. Answers that were pasted all at once are heard, too. */
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
