const KEY_NAMES: Readonly<Record<string, string>> = {
  '\x03': 'ctrl-c',
  '\r': 'enter',
  '\n': 'enter',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x1b': 'escape',
  '\x1b[A': 'up',
  '\x1b[B': 'down',
  '\x1bOA': 'up',
  '\x1bOB': 'down',
  '\x1b[5~': 'page-up',
  '\x1b[6~': 'page-down',
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: keys of a terminal begin with them
const KEY_SEQUENCE = /\x1b(?:\[[0-9;?]*[ -/]*[@-~]|O[A-Z])|[\s\S]/gu;

/** Parses terminal input into keys: characters unchanged, special keys by name. Unknown keys are dropped. */
export function parseKeys(data: string): readonly string[] {
  return [...data.matchAll(KEY_SEQUENCE)].flatMap(
    ([key]) => KEY_NAMES[key] ?? (key.startsWith('\x1b') || key < ' ' ? [] : key),
  );
}
