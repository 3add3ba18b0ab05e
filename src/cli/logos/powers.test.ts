import { expect, onTestFinished, test } from 'vitest';
import { programOn } from '../../../test/support/program/program-in-process.ts';
import { exchangesOf, roundSteps } from '../../../test/support/servers/exchange-samples.ts';
import { openTestServer } from '../../../test/support/servers/server.ts';

test('[X5] [C8] the token of an agent, a mind’s own included, does nothing that is the observer’s', async () => {
  const server = await openTestServer();
  onTestFinished(server.close);
  const { run: logos } = programOn(server, 'logos');
  const thread = await exchangesOf(server.engine).make(
    ['run', { rounds: 9 }],
    ...roundSteps(1, 'the sea'),
    ...roundSteps(2, 'the sky', { restart: 'Other terms.' }),
  );
  const head = async () => (await server.engine.log.lastOf(thread))?.seq;
  const before = await head();
  const mind = await server.tokenFor('mind_0', 'agent');
  const auditor = await server.tokenFor('auditor', 'agent');
  const decide = (decision: string, ...more: string[]) => ['decide', decision, ...more, '--reason', 'x'];
  for (const words of [
    ...[decide('branch'), decide('rollback', '--round', '1'), decide('amend', 'audit_every=3')],
    ...[decide('acknowledge'), decide('halt'), ['veto', '1', 'x'], ['veto', '1', '--undo']],
    ...[['inject', 'x'], ['rollback', '1'], ['branch'], ['audit'], ['observe', 'x'], ['amend', 'mind', 'x']],
    ...[['run', '1'], ['run'], ['step'], ['stop'], ['halt', 'x']],
  ]) {
    for (const token of [mind, auditor, server.agent]) {
      const { code, err } = await logos([...words, '--thread', thread, '--json'], token);
      expect([words, code, JSON.parse(err).error.code]).toEqual([words, 3, 'forbidden']);
    }
  }
  expect(await head()).toBe(before);
  // What they may do is read.
  expect((await logos(['status', '--thread', thread], mind)).out).toMatch(/needs you: The pool asks for a restart/);
  expect((await logos(['inject', 'x', '--thread', thread], server.human)).code).toBe(0);
});
