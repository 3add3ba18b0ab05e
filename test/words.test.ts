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

/** Phrases that make a reader stumble, wherever a person reads. */
const AVOIDED: readonly RegExp[] = [
  /\bwhoever\b/i,
  /\bmade anew\b/,
  /\b(begins?|starts?) anew\b/,
  /\bso many (events|tokens|rounds|messages|nodes|branches|lines)\b/,
  /\bwhere none is named\b/,
  /\bwhere no other is named\b/,
  /\bwhat it goes by\b/i,
  /\bas it is called there\b/,
  /\b(mind|pool|agent|person) is told\b/,
  /\bunless said\b/,

  /\bcalled off because\b/,
  /\bwhat stands (before|there|above)\b/,
  /\b(it|that) goes on from\b/i,
  /\bas you look on\b/,
  /\bwith commas between\b/,
  /\btake(s|n)? (it|them|a thread|a pin|tags) away\b/,
  /\banswered with nothing\b/,
  /\bnot acceptable\b/,
  /\bthan is looked at here\b/,
  /\bdid not take the key\b/,
  /\bwhat (came|had come) (is|was) (kept|counted)\b/i,
  /\bmay be any of\b/,
];

/** Strings that models read: they change only with their golden files (test/sent). */
const FOR_MODELS =
  /core\/(dialogue\/view\/attention|exchange\/(entries|terms\/terms-text))|engine\/agents\/(audit|summary|transcript|wake-reason)|\/(prompts|texts)\/|formats\/mind|models\/remote\/templates/;

function read(pattern: string): readonly (readonly [path: string, text: string])[] {
  return globSync(join(import.meta.dirname, '..', pattern))
    .filter((path) => !path.includes('.test.'))
    .map((path) => [path, readFileSync(path, 'utf8')] as const);
}

/** Source without its comments: a person reads only its strings. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/ .*$/gm, '');
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

test('[I23] a reader of the page, the terminal, errors, the README and the guides does not stumble', () => {
  const texts = [
    ...read('*.md'),
    ...read('docs/*.md'),
    ...read('docs/{guide,spec}/*.md').filter(([path]) => !path.endsWith('seeds.md')), // It quotes what others wrote.
    ...read('{src,web}/**/*.{ts,tsx}')
      .filter(([path]) => !FOR_MODELS.test(path) && !path.includes('/log/contract/'))
      .map(([path, text]) => [path, withoutComments(text)] as const),
  ];
  expect(texts.length).toBeGreaterThan(700);
  const found = texts.flatMap(([path, text]) =>
    AVOIDED.flatMap((words) => words.exec(text)?.[0] ?? []).map((words) => `${path}: ${words}`),
  );
  expect(found).toEqual([]);
});
