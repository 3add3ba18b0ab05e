import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { FETCH_MS, storiesFile } from '../support/models/weights.ts';
import { commandsIn, openShell, patternOf, withIds } from '../support/program/console.ts';

const root = join(import.meta.dirname, '../..');
const MINUTES = 120_000;

beforeAll(async () => {
  await storiesFile();
}, FETCH_MS);

interface Surroundings {
  /** What the document has the reader do on the page, by what does the same here. */
  /** The document says to have a server in another terminal. */
  readonly serving?: boolean;
}

/** Runs everything a document says to type, in its order, and compares with what it shows. */
async function follow(path: string, { serving = false }: Surroundings = {}): Promise<void> {
  const shell = openShell();
  onTestFinished(shell.close);
  if (serving) await shell.serve();
  const known = new Map<string, string>();
  for (const { line, command, output, endless, needs } of commandsIn(join(root, path))) {
    if (needs) continue;
    const typed = withIds(command, known);
    const { pattern, ids } = patternOf(output);
    const until = output.length === 0 ? /\n/ : pattern;
    const ran = endless ? await shell.interrupt(typed, until) : await shell.run(typed);
    const told = `${path}:${line}: ${typed}\n${ran.out}\n${ran.err}`;
    expect(ran.code, told).toBe(0);
    if (output.length === 0) continue;
    const found = pattern.exec(ran.out.replace(/\n?$/, '\n'));
    expect(found, `What ${path} shows is not what is printed.\n${output.join('\n')}\n\n${told}`).not.toBeNull();
    for (const [i, id] of ids.entries()) known.set(id, found?.[i + 1] as string);
  }
}

test('[I16] the README does what it says', () => follow('README.md', { serving: true }), MINUTES);
test('[I16] the guide to threads does what it says', () => follow('docs/guide/threads.md', { serving: true }), MINUTES);
test(
  '[I16] the guide to dialogues does what it says',
  () => follow('docs/guide/dialogue.md', { serving: true }),
  MINUTES,
);
test(
  '[I16] the guide to exchanges does what it says',
  () => follow('docs/guide/exchange.md', { serving: true }),
  MINUTES,
);
test('[I16] the guide to looms does what it says', () => follow('docs/guide/loom.md'), MINUTES);

test('[I16] every guide with something to type is among these, and what is not run is marked and known', () => {
  const guides = readdirSync(join(root, 'docs/guide')).map((name) => `docs/guide/${name}`);
  const all = ['README.md', ...guides].map((path) => ({ path, commands: commandsIn(join(root, path)) }));
  expect(
    all
      .filter(({ commands }) => commands.length > 0)
      .map(({ path }) => path)
      .sort(),
  ).toEqual([
    'README.md',
    'docs/guide/dialogue.md',
    'docs/guide/exchange.md',
    'docs/guide/loom.md',
    'docs/guide/threads.md',
  ]);
  const marked = all.flatMap(({ path, commands }) =>
    commands.flatMap(({ needs }) => (needs ? [`${path}: ${needs}`] : [])),
  );
  expect(marked).toEqual([]);
});

test('[I16] what the recording shows is what the program prints', () => follow('docs/pictures/terminal.svg'), MINUTES);

test('[I16] every picture the README shows is there, small, and no other is; the recording was drawn from its commands', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const files = [...readme.matchAll(/(?:\]\(|src(?:set)?=")(docs\/pictures\/[^)"]+)/g)].map(([, path = '']) => path);
  const all = readdirSync(join(root, 'docs/pictures')).map((name) => `docs/pictures/${name}`);
  expect(files.toSorted()).toEqual(all.toSorted());
  expect(all.reduce((sum, file) => sum + statSync(join(root, file)).size, 0)).toBeLessThan(1_500_000);

  const svg = readFileSync(join(root, 'docs/pictures/terminal.svg'), 'utf8');
  const drawn = svg.slice(svg.indexOf('</desc>')).replace(/<[^>]*>/g, '');
  const commands = commandsIn(join(root, 'docs/pictures/terminal.svg'));
  expect(commands.length).toBeGreaterThan(4);
  for (const { command } of commands) expect(drawn).toContain(`$ ${command}`);
  expect(drawn).not.toMatch(/not found|[Ee]rror/);
});
