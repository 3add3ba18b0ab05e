import { expect, test } from 'vitest';
import { commandPrefixFor, withCommandPrefix, workspaceOptionFor } from './hints.ts';

test('[I3] hints begin with npx where npm started the program, and only there', () => {
  expect(commandPrefixFor({ npm_command: 'exec' })).toBe('npx ');
  expect(commandPrefixFor({ npm_command: 'start' })).toBe('npx ');
  expect(commandPrefixFor({})).toBe('');
  expect(withCommandPrefix('Start one: heddle serve', { prefix: '' })).toBe('Start one: heddle serve');
});

test.each([
  ['Start one: heddle serve', 'Start one: npx heddle serve'],
  ['the mind has stopped ("mind run" continues).', 'the mind has stopped ("npx mind run" continues).'],
  ['Continue: logos run. End it: logos stop', 'Continue: npx logos run. End it: npx logos stop'],
  ['  HEDDLE_TOKEN=$(heddle token) heddle post A "B"', '  HEDDLE_TOKEN=$(npx heddle token) npx heddle post A "B"'],
  ['"heddle COMMAND --help" shows it', '"npx heddle COMMAND --help" shows it'],
  ['npx heddle demo', 'npx heddle demo'],
  ['Let the mind run on; mind your step; heddle.yaml, heddle-like', undefined],
  ['bin/heddle serve, mind running', undefined],
])('[I3] %s, as npx starts it', (sentence, expected = sentence) => {
  expect(withCommandPrefix(sentence, { prefix: 'npx ' })).toBe(expected);
});

test('[I3] a title that looks like a command is shown as it was typed', () => {
  const sentence = 'There is no thread "heddle verify is my title" here. "heddle threads" lists them.';
  expect(withCommandPrefix(sentence, { prefix: 'npx ', args: 'heddle verify is my title\nx' })).toBe(
    'There is no thread "heddle verify is my title" here. "npx heddle threads" lists them.',
  );
});

test('[I3] hints name the workspace that was named to the command, and work from any directory', () => {
  const here = workspaceOptionFor(['serve', '--workspace', '/tmp/garden']);
  expect(withCommandPrefix('"heddle token --link" makes another.', { prefix: 'npx ', args: '', workspace: here })).toBe(
    '"npx heddle --workspace /tmp/garden token --link" makes another.',
  );
  expect(withCommandPrefix('"heddle --help" lists them all.', { prefix: '', args: '', workspace: here })).toBe(
    '"heddle --help" lists them all.',
  );
  expect(workspaceOptionFor(['--workspace=relative', 'serve'])).toBe(` --workspace ${process.cwd()}/relative`);
  expect(workspaceOptionFor(['--workspace', "/tmp/Ana's garden"])).toBe(" --workspace '/tmp/Ana'\\''s garden'");
  expect(workspaceOptionFor(['serve'])).toBe('');
});
