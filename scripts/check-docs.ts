// What is written about the project agrees with the project.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const SKIPPED = ['node_modules', 'dist', '.git', '.cache', 'workspace'];
const files = filesIn('.');

const problems = [...commands(), ...rules(), ...seeds(), ...testSupport(), ...traces()];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

/** AGENTS.md lists every npm script and every command under each name of the program, and no other. */
function commands(): readonly string[] {
  const listed = read('AGENTS.md');
  const { scripts, bin } = JSON.parse(read('package.json')) as Record<'scripts' | 'bin', Record<string, string>>;
  const named = matches(listed, /`npm (?:run )?([a-z][a-z:-]*)/g);
  return [
    ...differences('AGENTS.md', 'npm', named, Object.keys(scripts)),
    ...Object.keys(bin).flatMap((program) => {
      const called = matches(listed, new RegExp(`\`${program} ([a-z][a-z-]*)`, 'g'));
      return differences('AGENTS.md', program, called, commandsOf(program));
    }),
  ];
}

/** A command is a file of its program; one under another name may also be one of heddle's. */
function commandsOf(program: string): readonly string[] {
  const folder = program === 'heddle' ? 'src/cli/commands' : `src/cli/${program}/commands`;
  const own = files.filter((file) => file.startsWith(`${folder}/`) && !file.endsWith('.test.ts'));
  const table = read(`src/cli/${program}.ts`);
  const loaded = matches(table, /import\('\.{1,2}\/(?:\w+\/)?commands\/([a-z-]+)\.ts'\)/g);
  return [...new Set([...own.map((file) => basename(file, '.ts')), ...loaded])];
}

function differences(
  file: string,
  what: string,
  written: readonly string[],
  real: readonly string[],
): readonly string[] {
  return [
    ...real.filter((name) => !written.includes(name)).map((name) => `${file} does not list \`${what} ${name}\`.`),
    ...written
      .filter((name) => !real.includes(name))
      .map((name) => `${file} lists \`${what} ${name}\`, which does not exist.`),
  ];
}

/** Every rule of docs/spec has one id, one place, and at least one test whose name begins with it. */
function rules(): readonly string[] {
  const defined = files
    .filter((file) => /^docs\/spec\/.*\.md$/.test(file))
    .flatMap((file) => [...read(file).matchAll(/^- \*\*([A-Z]\d+)\b/gm)].map(([, id = '']) => ({ id, file })));
  const tests = files
    .filter((file) => /\.test\.tsx?$|\/contract\/[\w-]+\.ts$/.test(file))
    .map(read)
    .join('\n');
  const cited = matches(tests, /\[([A-Z]\d+)\]/g);
  const ids = defined.map(({ id }) => id);
  return [
    ...defined
      .filter(({ id }, at) => ids.indexOf(id) !== at)
      .map(({ id, file }) => `${file} defines ${id} a second time.`),
    ...defined.filter(({ id }) => !cited.includes(id)).map(({ id, file }) => `No test name cites [${id}] of ${file}.`),
  ];
}

/** Every test that docs/spec/seeds.md names is there: a file, then beginnings of its test names. */
function seeds(): readonly string[] {
  const index = 'docs/spec/seeds.md';
  return [...read(index).matchAll(/`([^`|]+\.ts)`: ((?:(?!`[^`|]+\.ts`: )[^|\n])+)/g)].flatMap(
    ([, file = '', names = '']) => {
      const text = files.includes(file) ? read(file) : '';
      return names
        .split(' · ')
        .map((name) => name.trim())
        .filter((name) => name.startsWith('[') && !text.includes(name))
        .map((name) => `${index} names a test that ${file} does not have: ${name}`);
    },
  );
}

/** The index of test/support has a line for every file there, and no other. */
function testSupport(): readonly string[] {
  const folder = 'test/support/';
  const index = `${folder}README.md`;
  const real = files.filter((file) => file.startsWith(folder) && file !== index);
  const listed = matches(read(index), /^- `([^`]+)`: /gm);
  return differences(
    index,
    'file',
    listed,
    real.map((file) => file.slice(folder.length)),
  );
}

/** No file points at a place that only one machine has. The patterns are put together so as not to find themselves. */
function traces(): readonly string[] {
  const place = new RegExp(
    `\\.\\./sha${'red'}\\b|(?<![\\w.])/(?:wor${'k'}|roo${'t'}|hom${'e'}/\\w+|User${'s'}/\\w+)/|registry\\.npmj${'s'}\\.org`,
  );
  return files.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, at) =>
        place.test(line) ? [`${file}:${at + 1} points at a place of one machine: ${line.trim().slice(0, 100)}`] : [],
      ),
  );
}

function matches(text: string, pattern: RegExp): readonly string[] {
  return [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ''))];
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.includes(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}
