import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** What native readers stumbled over, and what is said instead stands beside it. Names on the wire stay. */
const NOT_SAID: Readonly<Record<string, string>> = {
  'Find or do': 'Search or run a command',
  '>Leave it<': 'Cancel',
  '>Leave them<': 'Cancel',
  'Leave what you are in': 'Close (your text is kept)',
  'declared idle': 'Idle',
  'live, listening': 'Online',
  "'Prod'": 'Ask to reply',
  'Mute softly': 'Mute, fold messages',
  'came of this': '1 related item',
  'Where from': 'Source',
  'Bring to…': 'Send to…',
  'Talk beside it': 'Discuss',
  'Take it back': 'Withdraw',
  'Put away': 'Dismiss',
  'What it goes by': 'Instructions',
  'I decide what is posted': 'Approve before posting',
  'Tell me on the desktop': 'Turn on desktop notifications',
  'as the system has it': 'Match system',
  'Single letters are keys': 'Single-key shortcuts',
  'as it is called there': 'Model ID',
  "'Name here'": 'Display name',
  'where none is named': 'default',
  'so much is used': 'Models pause at this limit',
  'A run pauses when it has used': 'Pause after',
  'Accept by itself': 'Auto-accept',
  'Its difference to the one above': 'Compare with the draft above',
  'is about to leave what the mind is shown': 'will soon drop out of context',
  '} came too late`': 'late reply, kept but unused',
  'To the node behind': 'Next node',
  'that could be led up to': 'There is no text after the caret to fill toward',
  'Put what was filled in': 'Insert the fill-in',
  'gone as deep as it should': 'depth limit reached',
  'wrote it, as': 'Written by … at the request of …',
  'nobody is thinking about it now': 'the mind has stopped',
  'it did what it was asked to': 'Completed 3 of 3 iterations',
  'Check which environment variable': 'Set its key',
  'is beyond the end of this thread': 'There is no event #…',
  'fits none of its forms': 'what it must be',
  'what a backup says': 'Restore a backup into an empty workspace',
  'derived from the log anew': 'Rebuild all derived data from the log',
  'go away by trying again': 'Retrying will not help',
};

/** Phrases that make a reader stumble, in documents for people who use Heddle. */
const AVOIDED: readonly RegExp[] = [
  /\bwhoever\b/i,
  /\bmade anew\b/,
  /\b(begins?|starts?) anew\b/,
  /\bso many (events|tokens|rounds|messages|nodes|branches|lines)\b/,
  /\bwhere none is named\b/,
  /\bwhat it goes by\b/i,
  /\bas it is called there\b/,
  /\b(mind|pool|agent|person) is told\b/,
];

function read(pattern: string): readonly (readonly [path: string, text: string])[] {
  return globSync(join(import.meta.dirname, '..', pattern))
    .filter((path) => !path.includes('.test.'))
    .map((path) => [path, readFileSync(path, 'utf8')] as const);
}

test('[I23] the page, the terminal, the guides and the README say what people say', () => {
  const sources = read('{src,web}/**/*.{ts,tsx}');
  expect(sources.length).toBeGreaterThan(700);
  const said = [...sources, ...read('docs/**/*.md'), ...read('*.md')].flatMap(([path, text]) =>
    Object.keys(NOT_SAID)
      .filter((words) => text.includes(words))
      .map((words) => `${path}: ${words} (say: ${NOT_SAID[words]})`),
  );
  expect(said).toEqual([]);
});

test('[I23] a reader of the README, the guides, the reference and the help does not stumble', () => {
  const texts = [
    ...read('README.md'),
    ...read('docs/{guide,spec}/*.md'),
    ...read('src/{cli,protocol}/**/*.ts'),
    ...read('src/core/*/commands.ts'),
  ].filter(([path]) => !path.endsWith('seeds.md')); // It quotes what others wrote.
  const found = texts.flatMap(([path, text]) =>
    AVOIDED.flatMap((words) => words.exec(text)?.[0] ?? []).map((words) => `${path}: ${words}`),
  );
  expect(found).toEqual([]);
});
