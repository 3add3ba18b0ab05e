import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import { type Refusal, refuse } from '../../core/refusal.ts';
import { type Script, scriptSchema } from './script.ts';

const MAX_BYTES = 8 * 1024 * 1024;

/** Reads a script from a YAML or JSON file; an error names its line. */
export function readScript(path: string): Script | Refusal {
  let source: string;
  try {
    source = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return refuse('bad_file', `The script ${path} cannot be read (${code}). Correct its path.`);
  }
  if (source.length > MAX_BYTES) return refuse('bad_file', `The script ${path} is larger than 8 MiB.`);
  return parseScript(source, path);
}

export function parseScript(source: string, name: string): Script | Refusal {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, logLevel: 'silent' });
  const syntaxError = document.errors[0];
  if (syntaxError) {
    const reason = syntaxError.message.split('\n')[0]?.replace(/ at line \d.*/, '') ?? '';
    return refuse('bad_file', `${name}:${syntaxError.linePos?.[0].line ?? 1}: not YAML: ${reason}.`);
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 0 });
  } catch {
    return refuse('bad_file', `${name}: references ("*name") are not allowed in a script. Write out the text.`);
  }
  const parsed = scriptSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const node = issue.path.length > 0 ? document.getIn(issue.path, true) : document.contents;
  const line = lines.linePos(rangeOf(node) ?? rangeOf(document.getIn(issue.path.slice(0, -1), true)) ?? 0).line;
  const where = issue.path.length > 0 ? `"${issue.path.join('.')}": ` : '';
  return refuse('bad_file', `${name}:${Math.max(1, line)}: ${where}${issue.message.replace(/\.?$/, '.')}`);
}

function rangeOf(node: unknown): number | undefined {
  return (node as { range?: readonly number[] } | null | undefined)?.range?.[0];
}
