import { expect, test } from 'vitest';
import { inspect } from './boundaries.ts';

const problems = (sources: Record<string, string>) => inspect(new Map(Object.entries(sources)));

test('a layer may import what lies below it, and types of its own layer in a circle', () => {
  expect(
    problems({
      'src/engine/handle.ts': "import { a } from '../core/a.ts'; import { b } from './overlay.ts'; import 'node:fs';",
      'src/engine/overlay.ts': "import type { Submission } from './handle.ts';",
      'src/cli/connect/client.ts': "import type { EventLog } from '../../log/event-log.ts';",
      'src/cli/commands/verify.ts': "import '../../formats/verify/verify.ts';",
      'src/main.ts': "import './log/sqlite/sqlite-log.ts'; import './server/app.ts';",
      'src/core/a.ts': "import { z } from 'zod'; const at = Date.parse('2026-01-01');",
    }),
  ).toEqual([]);
});

test('dialogue and exchange may import the pool, which lies below them', () => {
  expect(
    problems({
      'src/core/dialogue/a.ts': "import '../pool/sample.ts'",
      'src/core/exchange/a.ts': "import '../pool/sample.ts'",
      'web/rooms/dialogue/a.tsx': "import '../../../src/core/pool/map.ts'",
      'src/core/pool/sample.ts': "import '../util/random.ts'",
    }),
  ).toEqual([]);
});

test.each([
  ['upward', 'src/log/a.ts', "import '../engine/handle.ts'"],
  ['upward, as a type', 'src/log/a.ts', "import type { A } from '../engine/handle.ts'"],
  ['upward, as an inline type', 'src/log/a.ts', "type A = import('../engine/handle.ts').A"],
  ['upward, when needed', 'src/core/a.ts', "await import('../log/seal.ts')"],
  ['upward, passed on', 'src/core/a.ts', "export * from '../protocol/a.ts'"],
  ['sideways, between modes', 'src/core/loom/a.ts', "import '../threads/state.ts'"],
  ['sideways, from a mode that does not think', 'src/core/loom/a.ts', "import '../pool/state.ts'"],
  ['upward, from the pool', 'src/core/pool/a.ts', "import '../dialogue/state.ts'"],
  ['sideways, between rooms of the page', 'web/rooms/loom/a.tsx', "import '../threads/head.tsx'"],
  ['from the page into the server', 'web/main.tsx', "import '../src/server/app.ts'"],
  ['a store, outside main.ts', 'src/server/app.ts', "import '../log/sqlite/sqlite-log.ts'"],
  ['a built-in model, from the engine', 'src/engine/a.ts', "import '../models/builtin/small/small-model.ts'"],
  ['the registry, from a built-in model', 'src/models/builtin/small/a.ts', "import '../../registry/registry.ts'"],
  ['the log, from a command', 'src/cli/commands/who.ts', "import type { EventLog } from '../../log/event-log.ts'"],
  ['a file format, from a command', 'src/cli/mind/follow.ts', "import '../../formats/export/export-log.ts'"],
  ['inside the client, from the page', 'web/main.tsx', "import '../src/client/http.ts'"],
  ['inside the client, from a command', 'src/cli/mind/follow.ts', "import '../../client/http.ts'"],
  ['Node, in the page', 'web/main.tsx', "import 'node:fs'"],
  ['Node, in the client', 'src/client/index.ts', "import 'node:http'"],
  ['Node, in the core', 'src/core/a.ts', "import 'node:crypto'"],
  ['a package, in the core', 'src/core/a.ts', "import 'ulid'"],
  ['the clock, in the core', 'src/core/a.ts', 'Date.now()'],
  ['a new date, in the core', 'src/core/a.ts', 'new Date(0)'],
  ['chance, in the core', 'src/core/a.ts', 'Math.random()'],
  ['the process, in the core', 'src/core/a.ts', 'process.env.HOME'],
  ['the process by another way, in the core', 'src/core/a.ts', 'globalThis.process'],
  ['a folder nobody drew', 'src/utils/a.ts', ''],
  ['tests, in the program', 'src/server/app.ts', "import '../../test/support/browser.ts'"],
])('refused: %s', (_, file, text) => {
  expect(problems({ [file]: text })).toHaveLength(1);
});

test('refused: files that load each other', () => {
  expect(problems({ 'src/log/a.ts': "import './b.ts'", 'src/log/b.ts': "import './a.ts'" })).toHaveLength(1);
});

test('[L23] what a thread keeps by name is not looked up as a plain member', () => {
  const source = (text: string) => ({
    'src/core/threads/a.ts': `export const f = (state: any, id: string) => ${text};`,
  });
  expect(problems(source('state.participants[id]?.invited'))).toEqual([expect.stringContaining('use getOwn()')]);
  expect(problems(source('state.routing.wakes[id]'))).toEqual([expect.stringContaining('use getOwn()')]);
  expect(problems(source('delete state.muted[id]'))).toEqual([]);
  expect(problems(source('own(state.participants, id)'))).toEqual([]);
});
