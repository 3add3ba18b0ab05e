import { programs } from '../programs.ts';

/**
 * In a clone npm starts the program and its bare name is not on the PATH, so the commands it suggests begin with "npx".
 * Decided once, by how this process was started.
 */
const COMMAND_PREFIX = commandPrefixFor(process.env);

export function commandPrefixFor({ npm_command }: NodeJS.ProcessEnv): string {
  return npm_command === 'exec' || npm_command === 'start' ? 'npx ' : '';
}

const COMMAND_CALLS = /(?<![\w./-]|npx |the )(?:heddle|mind|logos) (?:--help|COMMAND|[a-z]{1,20})(?![\w-])/g;

/** This process's arguments. A title among them may look like a command and must be shown as typed. */
const ARGUMENTS = process.argv.slice(2).join('\n');

/** Adds the prefix to the commands in one of the program's own sentences. Never use it on text by others. */
export function withCommandPrefix(sentence: string, prefix: string = COMMAND_PREFIX, args: string = ARGUMENTS): string {
  if (prefix === '') return sentence;
  return sentence.replace(COMMAND_CALLS, (call) => (isCommand(call) && !args.includes(call) ? prefix + call : call));
}

/** "mind run" is one; "mind your step" is not. */
function isCommand(call: string): boolean {
  const [name, word = ''] = call.split(' ');
  const program = programs.find((each) => each.name === name);
  const groups = Object.values(program?.groups ?? {});
  return !/^[a-z]/.test(word) || groups.some((group) => Object.hasOwn(group, word));
}
