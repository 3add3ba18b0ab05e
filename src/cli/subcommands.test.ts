import { expect, test } from 'vitest';
import { newDirectory, start } from '../../test/support/program/heddle.ts';
import { heddle } from './heddle.ts';
import type { CliHost } from './host.ts';
import { logos } from './logos.ts';
import { mind } from './mind.ts';
import { buildCommand } from './program.ts';
import { checkSubcommand } from './subcommands.ts';

const host = { version: 'test' } as CliHost;

test.for([
  [['policy'], /^"heddle policy" needs a subcommand: replay\./],
  [['side', '--json'], /^"heddle side" needs a subcommand: open, close\./],
  [['--workspace', 'loom', 'loom'], /^"heddle loom" needs a subcommand: new, append, /],
  [['side', 'opne', 'x'], /^There is no subcommand "opne" of "heddle side". Did you mean "heddle side open"\?$/],
  [['loom', 'genrate'], /Did you mean "heddle loom generate"\?$/],
  [['threads', 'nwe', 'Garden'], /Did you mean "heddle threads new"\?$/],
  [['policy', 'tyr'], /^There is no subcommand "tyr" of "heddle policy". Use one of these: replay\.$/],
] as const)('[C6] a missing or wrong subcommand is answered with those there are: %s', async ([words, sentence]) => {
  const program = await buildCommand(heddle, 'all', host);
  expect(() => checkSubcommand(program, words)).toThrow(sentence);
});

test('[C6] what a command takes as words, and a request for help, is not mistaken for a subcommand', async () => {
  const program = await buildCommand(heddle, 'all', host);
  for (const words of [
    ['threads'],
    ['side', '--help'],
    ['loom', 'new', 'x'],
    ['read', 'loom'],
    ['models', '--json'],
    [],
  ])
    checkSubcommand(program, words);
  for (const other of [mind, logos]) checkSubcommand(await buildCommand(other, 'all', host), ['status', 'x']);
});

test.for([
  ['heddle', ['side'], /needs a subcommand/],
  ['heddle', ['thraeds'], /Did you mean "heddle threads"\?/],
  ['mind', ['stauts'], /Did you mean "mind status"\?/],
  ['logos', ['brnach'], /Did you mean "logos branch"\?/],
] as const)(
  '[C6] a mistyped command ends with 2 and what was probably meant: %s %s',
  async ([program, words, sentence]) => {
    const { code, err, out } = await start([...words, '--workspace', newDirectory()], { program }).ended;
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(sentence);
    expect(err).not.toContain('outputHelp');
  },
);
