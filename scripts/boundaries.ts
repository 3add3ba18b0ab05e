// Which part of the tree may know which. Dependencies run one way; modes meet through events, never through imports.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';

const MAY_IMPORT: Record<string, readonly string[]> = {
  core: [],
  platform: [],
  protocol: ['core'],
  log: ['core', 'platform'],
  models: ['core', 'platform'],
  agents: ['core', 'models'],
  formats: ['core', 'log', 'protocol'],
  engine: ['core', 'log', 'models', 'agents', 'protocol', 'formats'],
  workspace: ['core', 'log', 'models', 'protocol', 'formats', 'engine'],
  server: ['core', 'platform', 'log', 'models', 'agents', 'protocol', 'formats', 'engine'],
  client: ['core', 'protocol'],
  mcp: ['core', 'protocol', 'client'],
  cli: ['core', 'mcp', 'log', 'protocol', 'client', 'formats', 'workspace'],
  web: ['core', 'protocol', 'client'],
};
const MODES = ['threads', 'dialogue', 'pool', 'exchange', 'loom'];
/** The pool of thoughts is no way of working by itself: it lies below the two that think in it. */
const MODES_BELOW: Record<string, readonly string[]> = { dialogue: ['pool'], exchange: ['pool'] };
/** Every thread is a conversation: a mode follows its events, and forks begin with one. */
const EVENTS_OF_ALL = 'src/core/threads/events.ts';
const RUNS_IN_A_BROWSER = ['core', 'protocol', 'client', 'web'];
const STORES = ['src/log/memory/memory-log.ts', 'src/log/sqlite/sqlite-log.ts', 'src/log/postgres/postgres-log.ts'];
/** The models inside: of the rest of Heddle they know the ports, and only those who pick a model know them. */
const BUILT_IN = 'src/models/builtin/';
const PORTS_OF_BUILT_IN = ['src/models/model.ts', 'src/models/embedder.ts', 'src/models/lexical-embedder.ts'];
const MAY_KNOW_BUILT_IN = ['src/main.ts', 'src/models/open.ts', 'src/models/registry/'];
/** Whoever uses the client knows this file of it; without a server it talks to one in the same process. */
const CLIENT = 'src/client/index.ts';
/** Parts of the terminal that work on the store itself: those that connect, those that keep, prove or mend it, and those that must start faster than a server in the process (`bench/start-up.ts`). */
const MAY_KNOW_THE_STORE = [
  ...['src/cli/connect/', 'src/cli/doctor/', 'src/cli/threads/find.ts', 'src/cli/host.ts', 'src/cli/failure.ts'],
  ...['export', 'read', 'repair', 'restore', 'verify'].map((name) => `src/cli/commands/${name}.ts`),
];
/** Says how a text file is encoded; not a part of the store. */
const ENCODING = 'src/formats/encoding.ts';
const PURE_PACKAGES = ['zod'];
/** What a thread's state keeps by the names others chose. */
const BY_NAME = ['participants', 'muted', 'since', 'openTasks', 'openSides', 'wakes', 'causes'];
const IMPURE = ['Date.now', 'Math.random', 'new Date', 'process', 'performance', 'crypto'];

interface Module {
  /** Everything named in an import, types included. */
  readonly imports: readonly string[];
  /** What is loaded before the file itself runs. */
  readonly loads: readonly string[];
  readonly impurities: readonly string[];
  /** Members of BY_NAME that are looked up as if an object had only its own. */
  readonly lookUps: readonly string[];
}

if (import.meta.main) {
  const problems = inspect(readSources(join(import.meta.dirname, '..')));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

/** Every broken rule in a set of sources, by path from the root of the project. */
export function inspect(sources: ReadonlyMap<string, string>): readonly string[] {
  const modules = new Map<string, Module>();
  for (const [file, text] of sources) if (!isTest(file)) modules.set(file, read(file, text));
  return [...[...modules].flatMap(([file, module]) => problemsOf(file, module)), ...cycles(modules)];
}

function problemsOf(file: string, { imports, impurities, lookUps }: Module): readonly string[] {
  const layer = layerOf(file);
  if (layer === undefined) {
    if (file === 'src/main.ts') return [];
    return [`${file} belongs to no layer: add its folder to scripts/boundaries.ts and docs/architecture.md.`];
  }
  const problems = imports.map((target) => problemWith(file, layer, target)).filter((problem) => problem !== undefined);
  for (const name of lookUps) {
    problems.push(
      `${file} looks up ${name}[…]: "constructor" is a name too, use getOwn() of src/core/util/get-own.ts.`,
    );
  }
  if (layer === 'core') {
    for (const impurity of impurities) {
      problems.push(`${file} uses ${impurity}: the core is pure, let the context carry it.`);
    }
  }
  return problems;
}

function problemWith(file: string, layer: string, target: string): string | undefined {
  if (target.startsWith('node:')) {
    if (!RUNS_IN_A_BROWSER.includes(layer)) return undefined;
    return `${file} imports ${target}: ${layer} also runs where there is no Node.`;
  }
  if (isPackage(target)) {
    if (layer !== 'core' || PURE_PACKAGES.includes(target)) return undefined;
    return `${file} imports ${target}: the core may use ${PURE_PACKAGES.join(', ')} and no other package.`;
  }
  const other = layerOf(target);
  if (other === undefined) return `${file} imports ${target}: only files under src/ and web/ are part of the program.`;
  if (other !== layer && !MAY_IMPORT[layer]?.includes(other)) {
    const allowed = MAY_IMPORT[layer]?.join(', ') || 'nothing but itself';
    return `${file} imports ${target}: ${layer} may know ${allowed}.`;
  }
  const [mode, otherMode] = [modeOf(file), modeOf(target)];
  const isAllowed = target === EVENTS_OF_ALL || MODES_BELOW[mode ?? '']?.includes(otherMode ?? '');
  if (mode && otherMode && mode !== otherMode && !isAllowed) {
    return `${file} imports ${target}: modes never import each other, they meet through events.`;
  }
  const problem = problemWithBuiltIn(file, target, other) ?? problemWithStore(file, layer, target, other);
  if (problem) return problem;
  if (other === 'client' && layer !== 'client' && target !== CLIENT)
    return `${file} imports ${target}: outside its folder the client is ${CLIENT}.`;
  if (STORES.includes(target) && other !== layer) return `${file} imports ${target}: only src/main.ts picks a store.`;
  return undefined;
}

function problemWithBuiltIn(file: string, target: string, other: string): string | undefined {
  const [isInside, isTargetInside] = [file.startsWith(BUILT_IN), target.startsWith(BUILT_IN)];
  if (isInside && !isTargetInside && other === 'models' && !PORTS_OF_BUILT_IN.includes(target)) {
    return `${file} imports ${target}: the built-in models may know ${PORTS_OF_BUILT_IN.join(', ')}.`;
  }
  if (!isInside && isTargetInside && !MAY_KNOW_BUILT_IN.some((path) => file.startsWith(path))) {
    return `${file} imports ${target}: only ${MAY_KNOW_BUILT_IN.join(', ')} may know the built-in models.`;
  }
  return undefined;
}

function problemWithStore(file: string, layer: string, target: string, other: string): string | undefined {
  const isStore = (other === 'log' || other === 'formats') && target !== ENCODING;
  if (layer !== 'cli' || !isStore || MAY_KNOW_THE_STORE.some((path) => file.startsWith(path))) return undefined;
  return `${file} imports ${target}: a command is a client; only ${MAY_KNOW_THE_STORE.join(', ')} know the store.`;
}

function layerOf(path: string): string | undefined {
  const [top, layer] = path.split('/');
  if (top === 'web') return 'web';
  return top === 'src' && layer !== undefined && layer in MAY_IMPORT ? layer : undefined;
}

function modeOf(path: string): string | undefined {
  const folder = /^(?:src\/core|web\/rooms)\/([^/]+)\//.exec(path)?.[1];
  return folder !== undefined && MODES.includes(folder) ? folder : undefined;
}

/** Resolved imports are paths from the root; what is left are names of packages. */
function isPackage(target: string): boolean {
  return !/^(src|web|scripts|test|bench|bin|dist)\//.test(target) && !target.startsWith('.');
}

function isTest(file: string): boolean {
  return /\.test\.tsx?$|\/contract\/[\w-]+\.ts$|\/vite\.config\.ts$|\.d\.ts$/.test(file);
}

function read(file: string, text: string): Module {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const imports: string[] = [];
  const loads: string[] = [];
  const impurities = new Set<string>();
  const lookUps = new Set<string>();
  const deleted = new Set<unknown>();
  const note = (source: unknown, kind: string): void => {
    const name = (source as { value?: unknown } | null)?.value;
    if (typeof name !== 'string') return;
    const target = name.startsWith('.') ? posix.join(posix.dirname(file), name) : name;
    imports.push(target);
    if (kind === 'value') loads.push(target);
  };
  new Visitor({
    ImportDeclaration: (node) => note(node.source, node.importKind ?? 'value'),
    ExportAllDeclaration: (node) => note(node.source, node.exportKind ?? 'value'),
    ExportNamedDeclaration: (node) => note(node.source, node.exportKind ?? 'value'),
    ImportExpression: (node) => note(node.source, 'later'),
    TSImportType: (node) => note(node.source, 'type'),
    NewExpression: (node) => impurities.add(`new ${nameOf(node.callee)}`),
    UnaryExpression: (node) => {
      if (node.operator === 'delete') deleted.add(node.argument);
    },
    MemberExpression: (node) => {
      if (node.computed && node.property.type !== 'Literal' && !deleted.has(node)) lookUps.add(lastNameOf(node.object));
      const object = nameOf(node.object);
      impurities.add(object === 'globalThis' ? nameOf(node.property) : object);
      impurities.add(`${object}.${nameOf(node.property)}`);
    },
  }).visit(program);
  return {
    imports,
    loads,
    impurities: IMPURE.filter((name) => impurities.has(name)),
    lookUps: BY_NAME.filter((name) => lookUps.has(name)),
  };
}

function nameOf(node: { type: string; name?: unknown }): string {
  return node.type === 'Identifier' ? String(node.name) : '';
}

function lastNameOf(node: { type: string; name?: unknown; property?: { type: string; name?: unknown } }): string {
  return node.type === 'MemberExpression' && node.property ? nameOf(node.property) : nameOf(node);
}

/** Files that load each other are one thing in two places; types may refer to each other. */
function cycles(modules: ReadonlyMap<string, Module>): readonly string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file))
      found.push(`${[...path.slice(path.indexOf(file)), file].join(' → ')}: loaded in a circle.`);
    if (done.has(file) || path.includes(file)) return;
    for (const target of modules.get(file)?.loads ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of modules.keys()) visit(file, []);
  return found;
}

function readSources(root: string): ReadonlyMap<string, string> {
  const sources = new Map<string, string>();
  for (const folder of ['src', 'web']) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (/\.tsx?$/.test(name))
        sources.set(`${folder}/${name.replaceAll('\\', '/')}`, readFileSync(join(root, folder, name), 'utf8'));
    }
  }
  return sources;
}
