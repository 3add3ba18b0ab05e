import { own } from '../../core/util/get-own.ts';
import { usage } from '../failure.ts';
import { idsIn } from '../input/ids.ts';

type Make = (values: readonly string[], options: { readonly soft?: boolean }) => unknown;

const onOff: Make = (values) => ({ on: isOn(only(values, '"on" or "off"')) });
const targets: Make = (values) => ({ targets: some(values) });

/** How a control's content is made of words; what is acceptable in it, the server says. */
const shapes: Record<string, Make> = {
  mute: (values, { soft }) => ({ targets: some(values), mode: soft ? 'soft' : 'hard' }),
  unmute: targets,
  pause: (values) => (values.length === 0 ? { on: true } : onOff(values, {})),
  prod: (values) => some(values),
  done: (values) => nothing(values),
  continue: (values) => nothing(values),
  resume: (values) => nothing(values),
  ttl_seconds: (values) => number(only(values, 'a number of seconds')),
  discussion: ([first = '', ...rest]) => ({ on: isOn(first), ...pairs(rest) }),
  invited_auto: onOff,
  presence_log: onOff,
  invite: ([id = '', ...rest]) => ({ participant_id: some([id])[0], profile: pairs(rest) }),
  uninvite: (values) => ({ participant_id: only(some(values), 'one participant') }),
  profile: (values) => pairs(values),
  policy: ([mode = '', ...rest]) => ({ mode, ...pairs(rest) }),
  budget: (values) => (values[0] === 'none' && values.length === 1 ? NO_BUDGET : pairs(values)),
  rename: (values) => ({ title: values.join(' ') }),
};

const NO_BUDGET = { tokens: 0, money: 0, seconds: 0, messages: 0 };

export const controlNames = Object.keys(shapes);

export function controlContent(
  name: string | undefined,
  values: readonly string[],
  options: { readonly soft?: boolean },
): unknown {
  const make = name === undefined ? undefined : own(shapes, name);
  if (name === undefined || !make) {
    throw usage(
      `${name === undefined ? 'Say which control' : `There is no control "${name}"`}: ${controlNames.join(', ')}.`,
    );
  }
  if (options.soft && name !== 'mute') throw usage('--soft goes with "mute" only.');
  return { [name]: make(values, options) };
}

function some(values: readonly string[]): string[] {
  const ids = idsIn(...values);
  if (ids.length === 0) throw usage('Say whom it is about: one or more participant ids.');
  return ids;
}

function only(values: readonly string[], what: string): string {
  const [value, ...rest] = values;
  if (value === undefined || rest.length > 0) throw usage(`This control takes ${what}, and nothing else.`);
  return value;
}

function nothing(values: readonly string[]): true {
  if (values.length > 0) throw usage('This control takes no value.');
  return true;
}

function isOn(word: string): boolean {
  if (word === 'on' || word === 'off') return word === 'on';
  throw usage(`"${word}" should be "on" or "off".`);
}

function number(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw usage(`"${text}" is not a number.`);
  return value;
}

/** name=value pairs; what looks like a number or true is one, and "a,b" after "roles" is a list. */
function pairs(words: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf('=');
      if (at < 1) throw usage(`"${word}" should be written name=value.`);
      const name = word.slice(0, at);
      return [name, guessed(name, word.slice(at + 1))];
    }),
  );
}

function guessed(name: string, text: string): unknown {
  if (name === 'roles') return text.split(',').filter(Boolean);
  if (text === 'true' || text === 'on') return true;
  if (text === 'false' || text === 'off') return false;
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
