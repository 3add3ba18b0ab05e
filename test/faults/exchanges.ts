import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Event } from '../../src/core/events/event.ts';
import { must } from './fault.ts';

const MIND = {
  loop: true,
  answers: [
    { text: 'thoughts:\n  - the first of several thoughts about the sea\n', pace: 2 },
    { text: 'thoughts:\n  - another one\n  - and one more about the sky\n', pace: 2 },
  ],
};
/** Takes its time, so that whoever is killed is killed in the middle of an audit. */
const AUDITOR = {
  loop: true,
  answers: [{ text: 'The pool speaks of the sea [#1] and of the sky [#3], and of little else so far.', pace: 12 }],
};
const SETTINGS =
  'models:\n  mind: {provider: scripted, path: mind.json}\n  auditor: {provider: scripted, path: auditor.json}\ndefaults: {mind: mind, auditor: auditor}\n';

/** What an exchange of this rig begins with: an audit after every second round, two minds at once. */
export const SETUP = { audit_every: 2, minds: 2, parallel: true };

/** Gives a workspace minds and an auditor that need no network. */
export async function furnishExchange(directory: string): Promise<void> {
  await writeFile(join(directory, 'mind.json'), JSON.stringify(MIND));
  await writeFile(join(directory, 'auditor.json'), JSON.stringify(AUDITOR));
  await writeFile(join(directory, 'heddle.yaml'), SETTINGS);
}

interface Told {
  readonly round: number;
  readonly iter: number;
  readonly audit: number;
}

/** Every call, round and audit once and in order; an audit after every second round, none doubled, none lost. */
export function checkExchange(events: readonly Event[]): { rounds: number; audits: number; calls: number } {
  const of = (type: string) =>
    events.filter((event) => event.type === type).map(({ content }) => content as unknown as Told);
  const [calls, rounds, audits] = [of('mind.spoke'), of('round.ended'), of('audit.written')];
  for (const [i, { iter }] of calls.entries()) must(iter === i + 1, `call ${iter} stands in place ${i + 1}`);
  for (const [i, { round }] of rounds.entries()) must(round === i + 1, `round ${round} stands in place ${i + 1}`);
  for (const [i, { audit, round }] of audits.entries()) {
    must(audit === i + 1, `audit ${audit} stands in place ${i + 1}`);
    must(round === 2 * (i + 1), `audit ${audit} is of round ${round}, not ${2 * (i + 1)}`);
  }
  const due = Math.floor(rounds.length / 2);
  must(audits.length === due || audits.length === due - 1, `${audits.length} audits of ${rounds.length} rounds`);
  must(of('auditor.role').length === audits.length, 'an audit stands without its roles');
  return { rounds: rounds.length, audits: audits.length, calls: calls.length };
}
