import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { always, says, script, workspaceWith } from './cli-logos-support.ts';

// A test here starts the program many times, on a machine that may be busy.
vi.setConfig({ testTimeout: 300_000 });

test('[X15] [X21] init sets question, minds, auditor and terms at once; terms shows and amend changes them', async () => {
  const { ok, no, path } = workspaceWith(script(says('Shade.')));
  writeFileSync(join(path, 'spec.md'), 'One haiku, no numbers.\n');
  const spec = `auditor_spec=@${join(path, 'spec.md')}`;
  const minds = ['--mind', 'gardener=script', '--mind', 'sceptic=other', '--auditor', 'auditor'];
  await ok('init', 'What is a good garden?', ...minds, '--audit-every', '4', '--set', spec, '--set', 'policy=alert');
  expect((await ok('terms', '--json')).json.now.terms).toMatchObject({
    question: 'What is a good garden?',
    minds: [
      { id: 'gardener', model: 'script' },
      { id: 'sceptic', model: 'other' },
    ],
    ...{ auditor_model: 'auditor', audit_every: 4, policy: 'alert', auditor_spec: 'One haiku, no numbers.\n' },
  });
  expect((await ok('terms')).out).toMatch(/^Terms, version 1\nquestion +What is a good garden\?\n/);
  expect((await ok('amend', 'question', 'And in winter?')).out).toBe(
    'Version 2 of the terms: it applies from round 1.\n',
  );
  expect((await ok('terms', 'question')).out).toBe('And in winter?\n');
  const [spoken] = (await ok('step', '--json')).out.split('\n').map((line) => line && JSON.parse(line));
  expect(spoken.round.calls).toMatchObject([{ author: 'gardener' }, { author: 'sceptic' }]);

  const long = `Why? ${'word '.repeat(80)}`.trim();
  const { thread } = (await ok('init', long, '--json')).json;
  expect(thread.title).toMatch(/^Why\? word .*…$/);
  expect((await ok('terms', 'question')).out.trim()).toBe(long);
  writeFileSync(join(path, 'question.md'), 'What is good soil?\n');
  await ok('init', 'Soil', '-f', join(path, 'question.md'));
  expect((await ok('terms', 'question')).out).toBe('What is good soil?\n');
  expect((await ok('status')).out).toMatch(/^Soil [^\n]+\nQuestion: What is good soil\?\n/);
  expect(await no('init', 'x', '--mind', '=small')).toEqual([2, 'usage']);
  expect(await no('init', 'x', '--mind', 'a=script', '--minds', '2')).toEqual([2, 'usage']);
  expect(await no('init', 'x', '--mind', 'a=nobody')).toEqual([3, 'unknown_model']);
});

test('[X12] run without a number runs to the next audit, and says so first', async () => {
  const { ok } = workspaceWith(script());
  await ok('init', 'Garden', '--minds', '2', '--audit-every', '3');
  await ok('run', '1');
  const ran = await ok('run');
  expect(ran.err).toContain('Running to the next audit: 2 rounds, 4 calls of minds and 1 of the auditor.');
  expect(ran.out).toMatch(/Audit 1 [\s\S]*Completed 2 of 2 rounds/);
});

test('[X17] an auditor that fails: each way out that the message names works', async () => {
  const { ok, logos, path } = workspaceWith(script(), always(''));
  await ok('init', 'Garden', '--audit-every', '1');
  const failed = await logos('run', '4');
  expect(failed.code).toBe(1);
  expect(failed.err).toContain('Resume to try again, amend the auditor’s specification or model, or skip this audit.');
  expect(failed.err).toContain(
    'Try again: logos run. Change the auditor: logos amend auditor -f FILE, or logos amend terms auditor_model=NAME. Skip this audit: logos audit --skip --reason "…"',
  );
  expect((await logos('audit', '--skip')).code).toBe(2);
  const skipped = await logos('audit', '--skip', '--reason', 'Its model is away.');
  expect(skipped.out).toMatch(/^Audit 1 was skipped\.\n2 {2}mind_0/);
  expect((await ok('log', '--types', 'observer')).out).toContain('[OBSERVER] Audit 1 was skipped. Its model is away.');
  // The next one fails as well, until its model is another.
  expect((await logos('run')).code).toBe(1);
  writeFileSync(join(path, 'haiku.yaml'), JSON.stringify({ answers: always('Moss on the old wall') }));
  const settings = readFileSync(join(path, 'heddle.yaml'), 'utf8');
  writeFileSync(
    join(path, 'heddle.yaml'),
    settings.replace('models:\n', 'models:\n  haiku: {provider: scripted, path: haiku.yaml}\n'),
  );
  await ok('amend', 'terms', 'auditor_model=haiku');
  const ran = await ok('run');
  expect(ran.out).toMatch(/Moss on the old wall[\s\S]*cites no thought that exists[\s\S]*Completed 4 of 4/);
});

test('[D31] logos audit says what it waits for, also when no rounds are under way', async () => {
  const limited = { fault: 'rate_limited', retry_after: 2 } as const;
  const { ok } = workspaceWith(script(), [limited, ...always('All is well [#1].')]);
  await ok('init', 'Garden');
  await ok('run', '1');
  const { out, err } = await ok('audit');
  expect(err).toMatch(/Waiting for the model until .*: The model "auditor" is rate-limited/);
  expect(out).toContain('All is well [#1].');
});

test('[X19] an audit that waits is left without an answer by logos run, or by ask_after_audit=never', async () => {
  const { ok } = workspaceWith(script());
  await ok('init', 'Garden', '--audit-every', '1', '--set', 'ask_after_audit=always');
  const waiting = await ok('run', '3');
  expect(waiting.err).toContain('Continue without an answer: logos run');
  expect((await ok('run')).out).toMatch(/^2 {2}mind_0[\s\S]*Audit 2/);
  await ok('amend', 'terms', 'ask_after_audit=never');
  expect((await ok('run')).out).toMatch(/3 {2}mind_0[\s\S]*Completed 3 of 3/);
});
