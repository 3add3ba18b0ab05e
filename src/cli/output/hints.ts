import { heddle } from '../heddle.ts';
import { logos } from '../logos.ts';
import { mind } from '../mind.ts';

/**
 * In a clone the program is started by npm, and its bare name is not found there: what it tells people to type begins
 * with "npx" then. Decided once, by how this process was started.
 */
const COMMAND_PREFIX = commandPrefixFor(process.env);

export function commandPrefixFor({ npm_command }: NodeJS.ProcessEnv): string {
  return npm_command === 'exec' || npm_command === 'start' ? 'npx ' : '';
}

const COMMAND_CALLS = /(?<![\w./-]|npx |the )(?:heddle|mind|logos) (?:--help|COMMAND|[a-z]{1,20})(?![\w-])/g;

/** What this process was called with: a title in it may look like a command, and is shown as it was typed. */
const ARGUMENTS = process.argv.slice(2).join('\n');

/** A sentence of the program's own, with its commands as they can be typed here. Never for what others wrote. */
export function withCommandPrefix(sentence: string, prefix: string = COMMAND_PREFIX, args: string = ARGUMENTS): string {
  if (prefix === '') return sentence;
  return sentence.replace(COMMAND_CALLS, (call) => (isCommand(call) && !args.includes(call) ? prefix + call : call));
}

/** "mind run" is one; "mind your step" is not. */
function isCommand(call: string): boolean {
  const [name, word = ''] = call.split(' ');
  const program = [heddle, mind, logos].find((each) => each.name === name);
  const groups = Object.values(program?.groups ?? {});
  return !/^[a-z]/.test(word) || groups.some((group) => Object.hasOwn(group, word));
}
