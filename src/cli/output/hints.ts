import { resolve } from 'node:path';
import { programs } from '../programs.ts';

/**
 * In a clone npm starts the program and its bare name is not on the PATH, so the commands it suggests begin with "npx".
 * Decided once, by how this process was started.
 */
const COMMAND_PREFIX = commandPrefixFor(process.env);

export function commandPrefixFor({ npm_command }: NodeJS.ProcessEnv): string {
  return npm_command === 'exec' || npm_command === 'start' ? 'npx ' : '';
}

/** The workspace named to this process, as hints must name it too. A workspace of the environment is found without. */
const WORKSPACE_OPTION = workspaceOptionFor(process.argv.slice(2));

export function workspaceOptionFor(args: readonly string[]): string {
  const index = args.findLastIndex((word) => /^--workspace(=|$)/.test(word));
  const path = args[index]?.includes('=') ? args[index].slice('--workspace='.length) : args[index + 1];
  return index === -1 || !path ? '' : workspaceOption(path);
}

/** Quoted for a shell where that is needed. */
export function workspaceOption(path: string): string {
  const root = resolve(path);
  return ` --workspace ${/^[\w./:@%+=,-]+$/.test(root) ? root : `'${root.replaceAll("'", "'\\''")}'`}`;
}

const COMMAND_CALLS = /(?<![\w./-]|npx |the )(?:heddle|mind|logos) (?:--help|COMMAND|[a-z]{1,20})(?![\w-])/g;

/** This process's arguments. A title among them may look like a command and must be shown as typed. */
const ARGUMENTS = process.argv.slice(2).join('\n');

/** Makes the commands in one of the program's own sentences work as pasted. Never use it on text by others. */
export function withCommandPrefix(
  sentence: string,
  { prefix = COMMAND_PREFIX, args = ARGUMENTS, workspace = WORKSPACE_OPTION } = {},
): string {
  if (prefix === '' && workspace === '') return sentence;
  return sentence.replace(COMMAND_CALLS, (call) => {
    if (args.includes(call)) return call;
    const [name, word = ''] = call.split(' ');
    if (!/^[a-z]/.test(word)) return prefix + call;
    return isCommand(name, word) ? `${prefix}${name}${workspace} ${word}` : call;
  });
}

/** "mind run" is one; "mind your step" is not. */
function isCommand(name: string | undefined, word: string): boolean {
  const program = programs.find((each) => each.name === name);
  return Object.values(program?.groups ?? {}).some((group) => Object.hasOwn(group, word));
}
