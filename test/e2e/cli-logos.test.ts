import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { always, linesIn, RESTARTING, says, script, workspaceWith } from './cli-logos-support.ts';

// A test here starts the program many times, on a machine that may be busy.
vi.setConfig({ testTimeout: 300_000 });

describe.for([
  ['with a server', true],
  ['without a server', false],
] as const)('%s', ([, served]) => {
  async function open(...given: Parameters<typeof workspaceWith>) {
    const workspace = workspaceWith(...given);
    if (served) await workspace.serve();
    return workspace;
  }

  test('[C8] [X8] the pool asks for a restart: the run pauses, a branch goes on on new terms, compare shows the difference', async () => {
    const { ok, no, path } = await open(RESTARTING);
    const { thread } = (await ok('init', 'Garden', 'plans', '--json')).json;
    expect(thread).toMatchObject({ title: 'Garden plans', kind: 'exchange' });
    expect(readFileSync(join(path, 'current-exchange'), 'utf8')).toBe(`${thread.id}\n`);
    expect(await no('audit')).toEqual([3, 'idle']);
    expect((await ok('inject', 'What do', 'beans need?')).out).toBe('The minds see it until the next audit.\n');

    const ran = await ok('run', '6');
    expect(ran.out).toMatch(
      /^1 {2}mind_0 {2}#1 {2}water the beans\n2 {2}mind_0 {2}#2 {2}water the peas\n3 {2}mind_0 {2}#3/,
    );
    expect(ran.out).toMatch(/mind_0 asks for a restart: The audit hides us\.\nRun 1 is paused after 3 of 6 rounds/);
    expect(ran.out).toMatch(/\nneeds you: The pool asks for a restart\.\n$/);
    expect(ran.err).toContain('Decide: logos decide branch|rollback|amend|acknowledge|halt');
    expect((await ok('status', '--json')).json).toMatchObject({
      attention: { level: 'needs_you' },
      phase: 'free_running',
      pending: { restart: 1, evidence: [{ by: 'mind', reason: 'The audit hides us.' }] },
    });
    expect(await no('run', '2')).toEqual([3, 'answer_pending']);
    expect(await no('decide', 'branch')).toEqual([2, 'usage']);
    expect(await no('decide', 'wait', '--reason', 'x')).toEqual([2, 'usage']);
    expect(await no('decide', 'rollback', '--reason', 'x')).toEqual([3, 'malformed']);
    expect(await no('decide', 'branch', 'audit_evry=2', '--reason', 'x')).toEqual([3, 'malformed']);

    const decided = linesIn(await ok('decide', 'branch', 'audit_every=2', '--reason', 'Fair.', '--json'));
    const branch = decided[0].thread.id;
    expect(decided.slice(1)).toMatchObject([
      { round: { round: 4 } },
      { audit: { audit: 1, unknown: ['99'], cites: [{ id: 1 }], ask: true } },
      { thread: branch, run: { state: 'paused', reason: 'answer' }, attention: { level: 'needs_you' } },
    ]);
    expect(readFileSync(join(path, 'current-exchange'), 'utf8')).toBe(`${branch}\n`);
    expect((await ok('audits')).out).toMatch(
      /^Audit 1 · after round 4 · auditor[^\n]*\n {2}Gardens and water[\s\S]*cites thoughts that do not exist: #99[\s\S]*waits for your answer/,
    );
    const observed = await ok('observe', 'Go', 'on.');
    expect(observed.out).toMatch(/^The minds see it, as your answer to audit 1\.\n5 {2}mind_0[\s\S]*\n6 {2}mind_0/);
    expect(observed.out).toMatch(/Audit 2 [\s\S]*Completed 3 of 3 rounds \([\d,]+ tokens\)\./);

    const compared = (await ok('compare', thread.id, branch, '--json')).json;
    expect(compared).toMatchObject({
      common: 3,
      first_difference: { round: 4, a: null, b: ['the pool goes on'] },
      terms: ['audit_every'],
      a: { rounds: 3, phase: 'structured' },
      b: { rounds: 6, audits: 2, phase: 'structured' },
    });
    expect((await ok('compare', thread.id, branch)).out).toMatch(
      /3 rounds in common[\s\S]*audit_every +20 +2\n[\s\S]*differ from round 4 on:\n {2}A {2}does not have it\n {2}B {2}the pool goes on/,
    );
    expect((await ok('branches')).out).toMatch(/Garden plans\n→ [^\n]*branch from round 3 +└ Garden plans \(branch/);
    expect((await ok('log', '--types', 'observer,restart', '--json')).json.entries).toMatchObject([
      { type: 'restart', marked: '[RESTART] mind_0 asks for it: The audit hides us.' },
      { type: 'observer', marked: expect.stringContaining('[OBSERVER] On the request for a restart: It goes on in') },
      { type: 'observer', marked: '[OBSERVER] Go on.' },
    ]);
  });

  test('[C8] [X5] step, audit, veto, amend, rollback, control branch and halt', async () => {
    const { ok, no, path } = await open(script(says('one', 'two'), says('three')));
    await ok('init', 'Small', '--model', 'script,other', '--auditor', 'auditor', '--audit-every', '7');
    const [round, end] = linesIn(await ok('step', '--json'));
    expect(round.round).toMatchObject({
      round: 1,
      thoughts: [
        { id: 1, text: 'one', author: 'mind_0' },
        { id: 2, text: 'two' },
        { id: 3, author: 'mind_1' },
      ],
      calls: [{ model: 'script' }, { model: 'other' }],
    });
    expect(end).toMatchObject({ run: { state: 'ended', reason: 'done' }, attention: { level: 'idle' } });
    expect((await ok('audit', '--json')).json.audit).toMatchObject({ audit: 1, round: 1, unknown: ['99'] });
    expect((await ok('observe', 'Well done.')).out).toBe('The minds see it, as your answer to audit 1.\n');

    expect(await no('veto', '2')).toEqual([2, 'usage']);
    expect(await no('veto', '88', 'odd')).toEqual([3, 'unknown_thought']);
    expect((await ok('veto', '#2', 'It', 'repeats.')).out).toBe('#2 is hidden from the minds.\n');
    expect((await ok('log', '--types', 'thought')).out).toContain('#2  hidden: It repeats.\n  two\n');
    expect((await ok('veto', '2', '--undo')).out).toBe('Minds can see #2 again.\n');

    writeFileSync(join(path, 'spec.md'), 'Name every thought you rest on, like [#1].\n');
    writeFileSync(join(path, 'empty.md'), '\n');
    expect((await ok('amend', 'auditor', '-f', join(path, 'spec.md'), '--reason', 'Shorter.')).out).toBe(
      'Version 2 of the terms: announced in round 2, it applies from round 3.\n',
    );
    expect(await no('amend', 'auditor', '-f', join(path, 'empty.md'))).toEqual([3, 'malformed']);
    expect(await no('amend', 'mind', 'x'.repeat(33_000))).toEqual([3, 'too_large']);
    expect(await no('amend', 'poet', 'x')).toEqual([2, 'usage']);
    await ok('amend', 'terms', 'cluster_feed=on', 'budget.money=2', 'restart.share=0.5');
    const { now, versions } = (await ok('terms', '--json')).json;
    expect([now.version, versions[0].terms]).toMatchObject([
      1,
      { cluster_feed: true, budget: { money: 2 }, restart: { share: 0.5, themed: 0.5 } },
    ]);
    expect((await ok('terms', 'auditor', '--of', '2')).out).toBe('Name every thought you rest on, like [#1].\n');

    const small = (await ok('open', '--json')).json.exchanges[0].id;
    expect(await no('rollback', '5')).toEqual([3, 'unknown_round']);
    const back = (await ok('rollback', '0', 'audit_every=3', '--reason', 'Again.', '--json')).json.thread.id;
    expect((await ok('status', '--json')).json).toMatchObject({
      thread: back,
      round: 0,
      branch: { kind: 'rollback', from: { thread: small, round: 0 } },
    });
    const control = linesIn(await ok('branch', '--control', '--rounds', '2', '--thread', small, '--json'));
    expect(control.at(-1)).toMatchObject({ thread: control[0].thread.id, run: { state: 'ended', done: 2 } });
    expect((await ok('status', '--json')).json.thread).toBe(back);
    expect(await no('observe', 'Hm.', '--thread', control[0].thread.id)).toEqual([3, 'forbidden']);
    expect((await ok('branches', '--json')).json.branches).toHaveLength(3);

    expect((await ok('halt', 'Enough.')).out).toBe('The exchange has ended.\n');
    expect(await no('run', '1')).toEqual([3, 'halted']);
  });

  test('[X13] [I3] Ctrl-C ends the rounds between two steps; who follows in another terminal is told', async () => {
    const { ok, begin } = await open([
      { text: says('first'), when: 'iter: 1\n', repeat: 'always' },
      { text: says('slow thought'), repeat: 'always', pace: 20_000 },
    ]);
    await ok('init');
    const chat = begin(['chat', '--json']);
    await chat.waitForOutput(/"attention":\{"level":"idle"/);
    const run = begin(['run', '5']);
    await run.waitForOutput(/#1 {2}first/);
    await chat.waitForOutput(/"round":\{"round":1/);
    run.process.kill('SIGINT');
    const ended = await run.ended;
    expect(ended.code).toBe(0);
    expect(ended.out).toMatch(/Run 1 ended after 1 of 5 rounds \([\d,]+ tokens\): they were stopped\./);
    chat.process.kill('SIGINT');
    expect((await chat.ended).code).toBe(0);
  });
});

test('[X8] where the terms say so, a run is followed into the branch', async () => {
  const { ok } = workspaceWith(RESTARTING);
  const first = (await ok('init', 'Garden', '--json')).json.thread.id;
  await ok('amend', 'terms', 'policy=branch');
  const ran = await ok('run', '5');
  expect(ran.err).toContain('By its terms, the exchange continues in “Garden (branch at round 3)”');
  expect(ran.out).toMatch(/\n4 {2}mind_0[\s\S]*\n5 {2}mind_0[\s\S]*Completed 2 of 2 rounds/);
  const { thread, round, restarts } = (await ok('status', '--json')).json;
  expect([thread === first, round, restarts.length]).toEqual([false, 5, 1]);
});

test('[C8] rounds that a killed process left behind are gone on with; budgets pause, and run goes on', async () => {
  const { ok, no, run, begin, path } = workspaceWith([
    { text: says('first'), when: 'iter: 1\n', repeat: 'always' },
    { text: says('slow'), repeat: 'always', pace: 20_000 },
  ]);
  await ok('init', 'Garden');
  const killed = begin(['run', '40']);
  await killed.waitForOutput(/first/);
  killed.process.kill('SIGKILL');
  await killed.ended;
  writeFileSync(join(path, 'mind.yaml'), JSON.stringify({ answers: script() }));
  const joined = await ok('run', '2');
  expect(joined.err).toContain('joining run 1');
  expect(joined.out).toMatch(/^2 {2}mind_0[\s\S]*\n3 {2}mind_0[\s\S]*Run 1 ended after 3 of 40 rounds/);

  const paused = await ok('run', '9', '--tokens', '1');
  expect(paused.out).toMatch(
    /Run 2 is paused after 0 of 9 rounds \(0 tokens\): The budget of this run is too small for this/,
  );
  expect((await ok('run', '--json')).out).toContain('"run":2');
  expect((await ok('stop')).out).toBe('The minds stopped thinking.\n');
  expect((await ok('stop')).out).toBe('The minds were not thinking.\n');

  // Nobody waits for what a paused thread will not do.
  await run(['control', 'Garden', 'pause', 'on']);
  expect(await no('run', '1')).toEqual([3, 'paused']);
  expect(await no('audit')).toEqual([3, 'paused']);
});

test('[I3] [X16] control characters are shown, not obeyed; an auditor that cites nothing is flagged', async () => {
  const hostile = '{"thoughts": ["Red \\u001b[31mink and \\u202ereversed <b>"]}';
  const { ok } = workspaceWith(always(hostile), always('I cite \u001b[2Jnothing.'));
  await ok('init', 'Ink <i>');
  await ok('run', '5');
  for (const words of [
    ['log'],
    ['log', '--json'],
    ['clusters'],
    ['clusters', '--svg'],
    ['drift', '--svg'],
    ['step'],
    ['status'],
  ]) {
    const { out } = await ok(...words);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    if (words.includes('--svg')) expect(out).toMatch(/^<svg [\s\S]*&#60;i&#62;[\s\S]*<\/svg>\n$/);
  }
  expect((await ok('clusters')).out).toMatch(
    /^cluster +active +in all +over the rounds +latest thought\n1 +6 +6 +\S+ +Red .\[31mink and <U\+202E>reversed/,
  );
  expect((await ok('drift')).out).toMatch(/^ +now +mean +low +high +rounds 1 to 6\ndiversity +0\.000[\s\S]*\nnoise /);
  expect((await ok('drift', '--json')).json.rounds).toHaveLength(6);
  expect((await ok('audit')).out).toMatch(/I cite .\[2Jnothing\.[\s\S]*covers 0 %[\s\S]*cites no thought that exists/);
});

test('[X5] powers are printed with their rules, and an agent has none of the observer’s', async () => {
  const { ok, begin, run } = workspaceWith(script());
  await ok('init');
  expect((await ok('powers')).out).toMatch(
    /^observer \(any person\) cannot write thoughts\n {2}X5 {3}runs, pauses and ends rounds[\s\S]*\nauditor [\s\S]*X4 {2}writes audits[\s\S]*\npool \(mind_0\)[\s\S]*X6/,
  );
  expect((await ok('powers', '--json')).json.roles.map(({ role }: { role: string }) => role)).toEqual([
    'observer',
    'auditor',
    'pool',
  ]);
  const token = (await run(['token', '--participant', 'mind_0'])).out.trim();
  for (const words of [
    ['observe', 'x'],
    ['run', '1'],
  ]) {
    const { code, err } = await begin([...words, '--json'], { env: { HEDDLE_TOKEN: token } }).ended;
    expect([words, code, JSON.parse(err).error.code]).toEqual([words, 3, 'forbidden']);
  }
});

test('[I3] [C8] each command of logos has help with examples; a wrong one says what is meant', async () => {
  const { ok, logos, no } = workspaceWith([]);
  const { out } = await ok('--help');
  const words = [...out.matchAll(/^ {2}([a-z]+)(?: <.*>)? {2,}/gm)].map(([, word]) => word as string);
  const c8 =
    'init run step inject audit observe decide amend branch rollback veto compare clusters drift log powers chat';
  expect(words).toEqual(expect.arrayContaining(c8.split(' ')));
  for (const word of ['decide', 'chat']) expect((await ok(word, '--help')).out).toContain(`Examples:\n  logos ${word}`);
  const wrong = await logos('cluster');
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('Did you mean "logos clusters"?')]);
  expect(await no('status')).toEqual([3, 'no_exchange']);
  expect(await no('init', '--model', 'nobody')).toEqual([3, 'unknown_model']);
  expect((await ok('completion', 'bash')).out).toMatch(/complete -o default -F _logos logos/);
});
