import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { agentLimitsOf } from './agent-limits.ts';
import { readSettings } from './settings.ts';
import { openSettingsSource } from './source.ts';

describe('[M1] heddle.yaml', () => {
  test('[C5] without a file everything is the embedded model', () => {
    const { here, personal } = files();
    expect(readSettings(here, personal)).toMatchObject({
      models: { small: { provider: 'embedded' } },
      defaults: {},
      clients: {},
      budgets: {},
    });
  });

  test('[C5] models, clients, defaults and budgets are read as they are documented', () => {
    const { here, personal } = files(`
models:
  base:  {provider: openai-completions, base_url: "http://127.0.0.1:8080/v1", model: some-base, context: 8192}
  chat:  {provider: openai-chat, base_url: "https://example.test/v1", model: some-chat, api_key_env: SOME_KEY, price: {input: 1.0, output: 2.0}}
  ant:   {provider: anthropic, model: some-claude, api_key_env: OTHER_KEY}
  play:  {provider: scripted, path: ./demo.yaml}
  small: {provider: embedded}
clients:
  claude: {adapter: claude, permission: plan}
  tool:   {adapter: command, command: ["./my-agent", "--flag"]}
  kept:   {adapter: acp, command: [agent], readable: [/opt/agent], writable: [~/notes]}
sandbox: required
defaults: {mind: chat, auditor: chat, loom: base}
budgets: {workspace: {tokens: 1000000, money: 5}, thread: {tokens: 20000}, run: {money: 0.5}}
`);
    const settings = readSettings(here, personal);
    expect(settings.models.chat).toMatchObject({ api_key_env: 'SOME_KEY', price: { input: 1, output: 2 } });
    expect(settings.clients.tool).toEqual({ adapter: 'command', command: ['./my-agent', '--flag'] });
    expect(settings.clients.kept).toMatchObject({ readable: ['/opt/agent'], writable: ['~/notes'] });
    expect(settings.sandbox).toBe('required');
    expect(settings.defaults).toEqual({ mind: 'chat', auditor: 'chat', loom: 'base' });
    expect(settings.budgets.run).toEqual({ money: 0.5 });
  });

  test('[M1] the person’s own file stands under the workspace’s, name by name', () => {
    const { here, personal } = files(
      'models:\n  chat: {provider: openai-chat, base_url: "http://here/v1", model: a}\nbudgets: {run: {tokens: 5}}\n',
      'person: {id: ada}\nmodels:\n  chat: {provider: openai-chat, base_url: "http://there/v1", model: b}\n  far: {provider: embedded}\ndefaults: {mind: chat}\n',
    );
    const settings = readSettings(here, personal);
    expect(settings.person.id).toBe('ada');
    expect(Object.keys(settings.models).sort()).toEqual(['chat', 'far', 'small']);
    expect(settings.models.chat).toMatchObject({ base_url: 'http://here/v1' });
    expect(settings.defaults).toEqual({ mind: 'chat' });
  });

  test('[C5] money is in US dollars, in my own currency, or in that of the workspace', () => {
    const currencyOf = (...texts: string[]) => {
      const { here, personal } = files(...texts);
      return readSettings(here, personal).currency;
    };
    expect(currencyOf()).toBe('USD');
    expect(currencyOf('', 'currency: EUR\n')).toBe('EUR');
    expect(currencyOf('currency: CHF\n', 'currency: EUR\n')).toBe('CHF');
  });

  test.each<[string, string, RegExp]>([
    [
      'a typo at the top',
      'person: {id: ada}\nmodel: {}\n',
      /line 2: "model" is not a setting\. Did you mean "models"\?/,
    ],
    [
      'an unknown provider',
      'models:\n  a:\n    provider: opnai-chat\n    model: x\n',
      /line 3: "models\.a\.provider" is not valid: "opnai-chat" is not .*"scripted"\. Did you mean "openai-chat"\?/,
    ],
    [
      'no provider',
      'models:\n  a: {model: x}\n',
      /line 2: "models\.a\.provider" is missing: set it to "openai-completions", /,
    ],
    [
      'a misspelt field',
      'models:\n  a:\n    provider: openai-chat\n    base_ulr: http://x/v1\n    model: x\n',
      /line 4: "models\.a\.base_ulr" is not a setting\. Did you mean "base_url"\?/,
    ],
    [
      'a field of another provider',
      'models:\n  a:\n    provider: embedded\n    modle: small\n',
      /line 4: "models\.a\.modle" is not a setting\. Did you mean "model"\?/,
    ],
    [
      'a bad price',
      'models:\n  a:\n    provider: openai-chat\n    base_url: http://x/v1\n    model: x\n    price: {input: -1, output: 2}\n',
      /line 6: "models\.a\.price\.input" is too small: at least 0/,
    ],
    [
      'half a price',
      'models:\n  a: {provider: openai-chat, base_url: "http://x/v1", model: x, price: {input: 1}}\n',
      /"models\.a\.price\.output" is missing; it must be a number/,
    ],
    [
      'an address that is none',
      'models:\n  a: {provider: openai-chat, base_url: "x", model: x}\n',
      /"models\.a\.base_url" must be an address that begins with http/,
    ],
    ['a sandbox there is not', 'sandbox: sometimes\n', /line 1: "sandbox"/],
    ['a place that is none', 'clients:\n  a: {adapter: claude, writable: [notes]}\n', /a path is absolute/],
    ['an unknown adapter', 'clients:\n  a: {adapter: cluade}\n', /line 2: .*Did you mean "claude"\?/],
    [
      'a command that is missing',
      'clients:\n  a: {adapter: command}\n',
      /"clients\.a\.command" is missing; it must be a list/,
    ],
    ['a default nobody has', 'defaults:\n  mind: smal\n', /line 2: .*"smal".*Did you mean "small"\?/],
    ['a budget of nothing', 'budgets:\n  run:\n    tokens: 0\n', /line 3: "budgets\.run\.tokens" is too small/],
    [
      'a currency in small letters',
      'currency: eur\n',
      /line 1: "currency" must be the code of a currency\. Did you mean "EUR"\?/,
    ],
    [
      'a currency that is none',
      '# mine\ncurrency: euros\n',
      /line 2: "currency" must be the code .*, such as USD or EUR/,
    ],
    ['a model that is text', 'models:\n  a: embedded\n', /line 2: "models\.a" must be/],
  ])('[M1] %s: file, line, what is wrong and what was probably meant', (_, text, sentence) => {
    const { here, personal } = files(text);
    const said = thrown(() => readSettings(here, personal));
    expect(said.startsWith(here)).toBe(true);
    expect(said).toMatch(sentence);
  });

  test.each([
    ['api_key', 'models:\n  a: {provider: openai-chat, base_url: "http://x/v1", model: x, api_key: SECRET}\n'],
    ['token', 'clients:\n  a: {adapter: claude, token: SECRET}\n'],
    ['api_key_env', 'models:\n  a: {provider: anthropic, model: x, api_key_env: SECRET}\n'],
    ['base_url', 'models:\n  a: {provider: openai-chat, base_url: "http://me:SECRET@x/v1", model: x}\n'],
    ['base_url', 'models:\n  a: {provider: openai-chat, base_url: "http://x/v1?api_key=SECRET", model: x}\n'],
  ])('[M1] a key in the file is refused with what to do, and not repeated: %s', (field, text) => {
    for (const key of ['sk-proj-1234567890abcdef', 'Zx81kkQ29slLLqP04mVbn3']) {
      const { here, personal } = files(text.replace('SECRET', key));
      const said = thrown(() => readSettings(here, personal));
      expect(said).toMatch(new RegExp(`line 2: "[\\w.]+\\.${field}" .*environment variable`));
      expect(said).not.toContain(key);
    }
  });

  test('[T23] the limits of agents are read over the usual ones, and a wrong one is named', () => {
    const { here, personal } = files(
      'limits: {agents: {open_drafts: 5}}\n',
      'limits: {burst: 9, agents: {open_drafts: 7, import_mb: 1}}\n',
    );
    const { limits } = readSettings(here, personal);
    expect(limits.burst).toBe(9);
    expect(agentLimitsOf(limits.agents)).toEqual({
      threadsPerHour: 20,
      invitationsPerHour: 50,
      openDrafts: 5,
      importBytes: 1024 * 1024,
      uploadBytesPerHour: 256 * 1024 * 1024,
    });
    put(here, 'limits:\n  agents: {open_draft: 5}\n');
    expect(thrown(() => readSettings(here, personal))).toMatch(/line 2: .*Did you mean "open_drafts"\?/);
  });

  test('[M1] a change is seen at the next use; a broken one is told, and what held before holds', () => {
    const { here, personal } = files('models:\n  a: {provider: embedded}\n');
    const source = openSettingsSource(here, personal);
    expect(Object.keys(source.current().models)).toContain('a');
    put(here, 'models:\n  b: {provider: embedded}\n');
    expect(Object.keys(source.current().models)).toContain('b');
    put(here, 'models:\n  c: {provider: embeded}\n');
    expect(Object.keys(source.current().models)).toContain('b');
    expect(source.problem()).toMatch(/line 2: .*Did you mean "embedded"\?.*the previous settings apply/);
    put(personal, 'models:\n  d: {provider: embedded}\n');
    put(here, '');
    expect(Object.keys(source.current().models)).toEqual(['small', 'd']);
    expect(source.problem()).toBeUndefined();
  });
});

function files(workspace?: string, person?: string) {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-settings-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const [here, personal] = [join(directory, 'heddle.yaml'), join(directory, 'mine.yaml')];
  if (workspace !== undefined) put(here, workspace);
  if (person !== undefined) put(personal, person);
  return { here, personal };
}

/** As an editor does it: the file is another one afterwards. */
function put(path: string, text: string) {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

function thrown(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('Nothing was refused.');
}
