import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * A library of the same form as node-llama-cpp, so that the process that uses it can be tried without 400 MB: every
 * character is a token, and what is said stands in the weights. `say` is said as it is; {read} in it is what was read,
 * {count} how many tokens that took, {secret} an environment variable, {pid} the process.
 */
export interface Script {
  readonly say: string;
  /** Instead of saying it. */
  readonly fault?: 'dies' | 'hangs' | 'cannot load' | 'throws';
}

export function writeLibrary(directory: string, script: Script): { weights: string; runtime: string } {
  const place = join(directory, 'node_modules/node-llama-cpp/dist');
  mkdirSync(place, { recursive: true });
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  writeFileSync(join(place, 'index.js'), LIBRARY);
  const weights = join(directory, 'model.gguf');
  writeFileSync(weights, JSON.stringify(script));
  return { weights, runtime: directory };
}

const LIBRARY = `
import { readFileSync } from 'node:fs';
const FIRST = 1000, BEGIN = 1, END = 2, ADDED = 999;
const textOf = (token) => token === END ? '⏹' : token < FIRST ? '' : String.fromCodePoint(token - FIRST);
export const LlamaLogLevel = { error: 'error' };
export class LlamaGrammarEvaluationState { constructor({ grammar }) { this.grammar = grammar; } }
export async function getLlama() {
  return {
    createGrammar: async ({ grammar }) => grammar,
    async loadModel({ modelPath }) {
      const { say, fault } = JSON.parse(readFileSync(modelPath, 'utf8'));
      if (fault === 'cannot load') throw new Error('no such instructions here');
      let context = [], count = 0;
      const read = (tokens) => { context.push(...tokens); count += tokens.length; };
      const sequence = {
        get nextTokenIndex() { return context.length; },
        get contextTokens() { return [...context]; },
        async eraseContextTokenRanges([{ start, end }]) { context.splice(start, end - start); },
        async evaluateWithoutGeneratingNewTokens(tokens) { read(tokens); },
        async *evaluate(tokens, { seed, grammarEvaluationState }) {
          read(tokens);
          if (fault === 'dies') process.exit(3);
          if (fault === 'throws') throw new Error('out of memory');
          if (fault === 'hangs') await new Promise(() => {});
          const said = say.replace('{read}', context.map(textOf).join('')).replace('{count}', count)
            .replace('{secret}', process.env.HEDDLE_TEST_SECRET ?? 'none').replace('{pid}', process.pid)
            .replace('{seed}', seed).replace('{grammar}', grammarEvaluationState?.grammar ?? 'none');
          for (const character of said) {
            await new Promise((resolve) => setImmediate(resolve));
            const token = FIRST + character.codePointAt(0);
            yield token;
            read([token]);
          }
          yield END;
        },
      };
      return {
        tokenize: (text) => text === '' ? [] : [ADDED, ...Array.from(text, (c) => FIRST + c.codePointAt(0))],
        detokenize: (tokens) => tokens.map(textOf).join(''),
        isEogToken: (token) => token === END,
        createContext: async () => ({ getSequence: () => sequence }),
      };
    },
  };
}
`;
