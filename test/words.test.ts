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

test('[I23] the page and the terminal say what people say', () => {
  const sources = globSync(join(import.meta.dirname, '../{src,web}/**/*.{ts,tsx}')).filter(
    (path) => !path.includes('.test.'),
  );
  expect(sources.length).toBeGreaterThan(700);
  const said = sources.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    return Object.keys(NOT_SAID)
      .filter((words) => text.includes(words))
      .map((words) => `${path}: ${words} (say: ${NOT_SAID[words]})`);
  });
  expect(said).toEqual([]);
});
