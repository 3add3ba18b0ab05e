import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Failure } from '../failure.ts';

/** A question to the person; what is wrong with an answer is said at once, and it is asked again. */
export interface Question {
  readonly text: string;
  /** What Enter takes. */
  readonly usual?: string;
  /** Not shown while it is typed. */
  readonly isSecret?: boolean;
  /** What is wrong with an answer, in a sentence. */
  check?(answer: string): string | undefined;
}

export interface Asking {
  ask(question: Question): Promise<string>;
  close(): void;
}

/** Questions one after the other. Answers that were pasted all at once are heard, too. */
export function openQuestions(nothingDone = 'Stopped. Nothing was written.'): Asking {
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

  async function answerTo({ text, usual = '', isSecret: hidden = false }: Question): Promise<string> {
    process.stderr.write(`${text}${usual === '' ? '' : ` [${usual}]`}: `);
    isSecret = hidden;
    const { value, done } = await lines.next();
    isSecret = false;
    if (hidden && isTerminal) process.stderr.write('\n');
    if (done) throw new Failure('stopped', nothingDone);
    return value.trim() || usual;
  }

  return {
    async ask(question) {
      for (;;) {
        const answer = await answerTo(question);
        const problem = question.check?.(answer);
        if (problem === undefined) return answer;
        process.stderr.write(`${problem}\n`);
      }
    },
    close: () => reader.close(),
  };
}
