// `logos chat` and the progress line of `logos run` on a real terminal: keys go in, what a person would see comes out.
import { expect, test, vi } from 'vitest';
import { entryOf } from '../support/program/heddle.ts';
import { hasTmux, terminal } from '../support/program/terminal.ts';
import { RESTARTING, says, workspaceWith } from './cli-logos-support.ts';

vi.setConfig({ testTimeout: 180_000 });

const onTerminal = (path: string, ...words: string[]) =>
  terminal([process.execPath, entryOf('logos'), ...words], {
    HEDDLE_WORKSPACE: path,
    PATH: process.env.PATH ?? '',
    TERM: 'screen-256color',
  });

test.skipIf(!hasTmux)(
  '[X13] [C8] chat: rounds and audits appear, the observer answers in place, decisions by key',
  async () => {
    const { ok, path } = workspaceWith(RESTARTING);
    const first = (await ok('init', 'Garden plans', '--json')).json.thread.id;
    const { press, shows, ends } = onTerminal(path, 'chat');
    await shows(/Garden plans +0 rounds[\s\S]*idle: [\s\S]*o observe · r run · a audit/);
    press('i');
    press('-l', 'What do beans need?');
    await shows(/A message from outside .*: What do beans need\?/);
    press('Enter');
    await shows(/>>> What do beans need\?[\s\S]*The minds see it until the next audit/);
    press('r');
    press('-l', '5');
    press('Enter');
    await shows(
      /needs you: The pool asks for a restart[\s\S]*mind_0 asks for a restart: The audit hides us[\s\S]*#2 {2}water the peas[\s\S]*b branch · l roll back · m amend · k acknowledge · h halt/,
    );

    press('b');
    await shows(/New terms as key=value/);
    press('-l', 'audit_every=2');
    press('Enter');
    await shows(/Why .*:/);
    press('-l', 'Fair enough.');
    press('Enter');
    await shows(
      /Garden plans \(branch[\s\S]*needs you: Audit 1 waits for your answer[\s\S]*Audit 1 · after round 4[\s\S]*do not exist: #99[\s\S]*o answer audit 1/,
    );
    press('o');
    await shows(/Your answer to audit 1/);
    press('-l', 'Go on like this.');
    press('Enter');
    await shows(/\[OBSERVER\] Go on like this\.[\s\S]*5 {2}mind_0/);
    await shows(/idle: |No rounds are running/);

    // A "no" is said in place.
    press('v');
    press('-l', '99');
    press('Enter');
    press('-l', 'odd');
    press('Enter');
    await shows(/There is no thought #99/);
    press('q');
    await ends();
    const status = (await ok('status', '--json')).json;
    expect(status).toMatchObject({ phase: 'structured', round: 5, branch: { from: { thread: first, round: 3 } } });
  },
);

test.skipIf(!hasTmux)('[X19] in chat p goes on without an answer', async () => {
  const { ok, path } = workspaceWith([{ text: says('a thought'), repeat: 'always' }]);
  await ok('init', 'Garden', '--audit-every', '1', '--set', 'ask_after_audit=always');
  const { press, shows, ends } = onTerminal(path, 'chat');
  await shows(/idle: /);
  press('r');
  press('-l', '2');
  press('Enter');
  await shows(/needs you: Audit 1 waits for your answer[\s\S]*p continue/);
  press('p');
  await shows(/needs you: Audit 2 waits for your answer/);
  press('q');
  await ends();
});

test.skipIf(!hasTmux)('[I3] [X12] run tells round, rate, cost and what is left of its budget on one line', async () => {
  const { ok, path } = workspaceWith([{ text: says('a slow thought'), repeat: 'always', pace: 700 }]);
  await ok('init');
  const { press, shows, ends } = onTerminal(path, 'run', '50', '--tokens', '100000');
  await shows(/Round 1 · [\d,]+ tokens · left: 50 rounds, [\d,]+ tokens/);
  await shows(/Round [23] · [\d.]+ a minute · [\d,]+ tokens · left: 4[89] rounds, [\d,]+ tokens \(Ctrl-C stops\)/);
  press('C-c');
  await ends();
  expect((await ok('status', '--json')).json.run).toMatchObject({ state: 'ended', reason: 'stopped' });
});
