// No regular expression whose cost grows faster than the text it reads: an agent chooses the text (T23).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';
import { costsOf, type Expression } from './expression-cost.ts';

export interface FoundExpression extends Expression {
  readonly file: string;
  readonly line: number;
}

/** Put together at run time, where they cannot be looked at: by file, with what keeps each of them linear. */
const BUILT: ReadonlyMap<string, string> = new Map([
  ['src/core/loom/search.ts', 'the words of a query, every sign escaped'],
  ['src/core/search/words.ts', 'two classes of characters that share none'],
  ['src/formats/mind/extract.ts', 'names of fields of ours, at the beginning of a line'],
  ['web/rooms/threads/composer/mentions.ts', 'a name, every sign escaped'],
]);

if (import.meta.main) {
  const problems = inspect(readSources(join(import.meta.dirname, '..')));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

/** Every expression that can stall, in a set of sources by path from the root of the project. */
export function inspect(sources: ReadonlyMap<string, string>): readonly string[] {
  const problems: string[] = [];
  for (const [file, text] of sources) {
    const { literals, built } = read(file, text);
    for (const expression of literals) {
      const name = `/${expression.source}/${expression.flags}`;
      for (const cost of costsOf(expression)) problems.push(`${file}:${expression.line} ${name}: ${cost}.`);
    }
    if (BUILT.has(file)) continue;
    for (const line of built) {
      problems.push(
        `${file}:${line} builds an expression: write it out, or say in scripts/expressions.ts what bounds it.`,
      );
    }
  }
  return problems;
}

export function expressionsIn(sources: ReadonlyMap<string, string>): readonly FoundExpression[] {
  return [...sources].flatMap(([file, text]) => read(file, text).literals);
}

function read(file: string, text: string): { literals: readonly FoundExpression[]; built: readonly number[] } {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const literals: FoundExpression[] = [];
  const built: number[] = [];
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  const note = ({ callee, start }: { callee: { type: string; name?: unknown }; start: number }) => {
    if (callee.type === 'Identifier' && callee.name === 'RegExp') built.push(lineAt(start));
  };
  new Visitor({
    Literal: (node) => {
      if (!('regex' in node)) return;
      literals.push({ source: node.regex.pattern, flags: node.regex.flags, file, line: lineAt(node.start) });
    },
    NewExpression: note,
    CallExpression: note,
  }).visit(program);
  return { literals, built };
}

export function readSources(root: string): ReadonlyMap<string, string> {
  const sources = new Map<string, string>();
  for (const folder of ['src', 'web']) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      const path = `${folder}/${name.replaceAll('\\', '/')}`;
      if (/\.tsx?$/.test(path) && !/\.test\.tsx?$|\.d\.ts$/.test(path)) {
        sources.set(path, readFileSync(join(root, path), 'utf8'));
      }
    }
  }
  return sources;
}
