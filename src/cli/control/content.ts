import { getOwn } from '../../core/util/get-own.ts';
import { usageError } from '../failure.ts';
import { parseIds } from '../input/ids.ts';
import { parseDecimal } from '../input/numbers.ts';

type ControlBuilder = (values: readonly string[], options: { readonly soft?: boolean }) => unknown;

const buildSwitch: ControlBuilder = (values) => ({ on: parseSwitch(singleValue(values, '"on" or "off"')) });
const buildTargets: ControlBuilder = (values) => ({ targets: requireIds(values) });

/** Builds a control's content from command-line words. The server validates it. */
const controlBuilders: Record<string, ControlBuilder> = {
  mute: (values, { soft }) => ({ targets: requireIds(values), mode: soft ? 'soft' : 'hard' }),
  unmute: buildTargets,
  pause: (values) => (values.length === 0 ? { on: true } : buildSwitch(values, {})),
  prod: (values) => requireIds(values),
  done: (values) => noValues(values),
  continue: (values) => noValues(values),
  resume: (values) => noValues(values),
  ttl_seconds: (values) => parseDecimal(singleValue(values, 'a number of seconds')),
  discussion: ([first = '', ...rest]) => ({ on: parseSwitch(first), ...parseFields(rest) }),
  invited_auto: buildSwitch,
  presence_log: buildSwitch,
  invite: ([id = '', ...rest]) => ({ participant_id: requireIds([id])[0], profile: parseFields(rest) }),
  uninvite: (values) => ({ participant_id: singleValue(requireIds(values), 'one participant') }),
  profile: (values) => parseFields(values),
  policy: ([mode = '', ...rest]) => ({ mode, ...parseFields(rest) }),
  budget: (values) => (values[0] === 'none' && values.length === 1 ? NO_BUDGET : parseFields(values)),
  rename: (values) => ({ title: values.join(' ') }),
};

const NO_BUDGET = { tokens: 0, money: 0, seconds: 0, messages: 0 };

export const controlNames = Object.keys(controlBuilders);

export function buildControlContent(
  name: string | undefined,
  values: readonly string[],
  options: { readonly soft?: boolean },
): unknown {
  const build = name === undefined ? undefined : getOwn(controlBuilders, name);
  if (name === undefined || !build) {
    throw usageError(
      `${name === undefined ? 'Name a control' : `There is no control "${name}"`}: ${controlNames.join(', ')}.`,
    );
  }
  if (options.soft && name !== 'mute') throw usageError('Use --soft only with "mute".');
  return { [name]: build(values, options) };
}

function requireIds(values: readonly string[]): string[] {
  const ids = parseIds(...values);
  if (ids.length === 0) throw usageError('Name one or more participants by ID.');
  return ids;
}

function singleValue(values: readonly string[], what: string): string {
  const [value, ...rest] = values;
  if (value === undefined || rest.length > 0) throw usageError(`This control takes ${what}, and nothing else.`);
  return value;
}

function noValues(values: readonly string[]): true {
  if (values.length > 0) throw usageError('This control takes no value.');
  return true;
}

function parseSwitch(word: string): boolean {
  if (word === 'on' || word === 'off') return word === 'on';
  throw usageError(`"${word}" should be "on" or "off".`);
}

/** Parses name=value pairs. Numbers and booleans are converted, and "a,b" for "roles" is a list. */
function parseFields(words: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    words.map((word) => {
      const separator = word.indexOf('=');
      if (separator < 1) throw usageError(`"${word}" should be written name=value.`);
      const name = word.slice(0, separator);
      return [name, guessValue(name, word.slice(separator + 1))];
    }),
  );
}

function guessValue(name: string, text: string): unknown {
  if (name === 'roles') return text.split(',').filter(Boolean);
  if (text === 'true' || text === 'on') return true;
  if (text === 'false' || text === 'off') return false;
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
