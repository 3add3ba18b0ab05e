import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Event } from '../../src/core/events/event.ts';
import { must } from './fault.ts';

/** A mind that writes drafts, "+1" and silence, at the pace of speech. */
const SCRIPT = {
  loop: true,
  answers: [
    {
      text: 'thoughts:\n  - the first of several thoughts\ndraft: |\n  A reply that takes a moment to write.\n',
      pace: 4,
    },
    { text: 'thoughts:\n  - another one\ndraft: +1\n', pace: 4 },
    { text: 'thoughts: []\ndraft: |\n  Another reply, with more words in it than before.\n', pace: 4 },
    { text: 'thoughts:\n  - nothing to add\n', pace: 4 },
  ],
};

const SETTINGS = 'models:\n  mind: {provider: scripted, path: mind.json}\ndefaults: {mind: mind}\n';

/** Gives a workspace a mind that needs no network. */
export async function furnishMind(directory: string): Promise<void> {
  await writeFile(join(directory, 'mind.json'), JSON.stringify(SCRIPT));
  await writeFile(join(directory, 'heddle.yaml'), SETTINGS);
}

/** Every number once and in order, whatever happened to whoever counted. */
export function checkIterations(events: readonly Event[]): { iterations: number; drafts: number } {
  const ended = events
    .filter(({ type }) => type === 'iteration.ended')
    .map(({ content }) => content as unknown as Told);
  for (const [i, { iter }] of ended.entries()) must(iter === i + 1, `iteration ${iter} stands in place ${i + 1}`);
  const drafts = ended.flatMap(({ draft }) => draft ?? []);
  for (const [i, { index }] of drafts.entries()) must(index === i + 1, `draft #${index} stands in place ${i + 1}`);
  return { iterations: ended.length, drafts: drafts.length };
}

interface Told {
  readonly iter: number;
  readonly draft?: { readonly index: number };
}
