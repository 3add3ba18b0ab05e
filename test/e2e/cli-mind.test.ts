import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { newWorkspace, type RunResult, start } from '../support/program/heddle.ts';

// A test here starts the program many times, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const DRAFT = 'thoughts: [beans climb]\ndraft: Plant beans in May.';
const BETTER = 'thoughts: [poles]\ndraft: Plant beans in June, beside poles.\nconfidence: 0.8\nstatus: final';
const ENDORSED = 'thoughts: [good]\ndraft: +1';
const SILENCE = 'thoughts: [nothing to add]';

interface Answer {
  readonly text?: string;
  readonly fault?: 'unreachable';
  readonly when?: string;
  readonly repeat?: 'always' | number;
  readonly pace?: number;
}

/** A workspace whose minds say what the test tells them to, iteration by iteration. */
function workspaceWith(answers: readonly Answer[]) {
  const workspace = newWorkspace();
  const settings = 'models:\n  script: {provider: scripted, path: mind.yaml}\ndefaults: {mind: script}\n';
  writeFileSync(join(workspace.path, 'heddle.yaml'), settings);
  writeFileSync(join(workspace.path, 'mind.yaml'), JSON.stringify({ answers }));
  const env = { HEDDLE_WORKSPACE: workspace.path };
  const begin = (...words: string[]) => start(words, { program: 'mind', env });
  const mind = (...words: string[]) => begin(...words).ended;

  async function ok(...words: string[]): Promise<RunResult> {
    const ran = await mind(...words);
    if (ran.code !== 0) throw new Error(`mind ${words.join(' ')} ended with ${ran.code}:\n${ran.out}\n${ran.err}`);
    return ran;
  }

  return {
    ...workspace,
    begin,
    mind,
    ok,
    heddle: (...words: string[]) => start(words, { env }).ended,
    say: (input: string) => start(['message'], { program: 'mind', env, input }).ended,
  };
}

/** What is said at an iteration is chosen by its number, which every input has: so it is the same in every process. */
function script(...texts: readonly string[]): readonly Answer[] {
  const numbered = texts.map((text, i) => ({ text, when: `iter: ${i + 1}\n`, repeat: 'always' as const }));
  return [...numbered, { text: SILENCE, repeat: 'always' }];
}

describe.for([
  ['with a server', true],
  ['without a server', false],
] as const)('%s', ([, served]) => {
  async function open(...answers: readonly Answer[]) {
    const workspace = workspaceWith(answers);
    if (served) await workspace.serve();
    return workspace;
  }

  test('[C7] [D14] from a message to history: drafts, +1 and silence; what the mind wants of you, and why', async () => {
    const { ok, mind } = await open(...script(DRAFT, BETTER, ENDORSED));
    const { thread } = (await ok('init', 'Garden', 'plans', '--json')).json;
    expect(thread).toMatchObject({ title: 'Garden plans', kind: 'dialogue' });
    const attention = async () => (await ok('status', '--json')).json.attention;
    expect((await ok('status', '--json')).json).toMatchObject({
      state: 'idle',
      iter: 0,
      attention: { level: 'idle', reason: expect.any(String) },
      drafts: 0,
      engagement: 'absent',
    });
    expect((await mind('run')).err).toContain('No message is waiting');
    expect((await mind('run')).code).toBe(3);

    expect((await ok('message', 'Shall we', 'plant beans?')).out).toBe('Turn 1 waits for an answer.\n');
    expect(await attention()).toMatchObject({ level: 'thinking', reason: expect.stringMatching(/^No reply yet/) });
    const again = await mind('message', 'Or peas?', '--json');
    expect(again.code).toBe(3);
    expect(JSON.parse(again.err).error.code).toBe('draft_pending');

    const stepped = (await ok('step', '--json')).json;
    expect(stepped).toMatchObject({ iter: 1, outcome: 'draft', sampled: [], usage: { generated: expect.any(Number) } });
    expect(stepped.draft).toMatchObject({ index: 1, text: 'Plant beans in May.', signal: null, seen: false });
    expect(stepped.thoughts).toMatchObject([{ text: 'beans climb' }]);
    expect(await attention()).toMatchObject({
      level: 'thinking',
      reason: 'Draft #1 is ready; the mind has stopped.',
      next: ['continue', 'accept'],
    });
    expect((await ok('status')).out.replaceAll('\n', ' ')).toContain(
      'Draft #1 is ready; the mind has stopped ("mind run" continues, "mind accept" takes it).',
    );

    const ran = await ok('run', '2');
    expect(ran.out).toMatch(
      /^2 {2}draft #2 {2}Plant beans in June, beside poles\.\n3 {2}\+1 \(#3\) {2}good\nCompleted 2 of 2 iterations \([\d,]+ tokens\)\.\n/,
    );
    expect(ran.out).toMatch(/\npublishable: #2 unchanged for 1 iteration, endorsed once; it could be sent/);
    expect(await attention()).toMatchObject({ level: 'publishable' });

    const bare = (await ok('run')).out;
    expect(bare).toMatch(
      /^4 {2}silence[\s\S]*\nRun 3 ended after 1 of 20 iterations \(.* tokens\): the mind signalled/,
    );
    expect(bare).toMatch(/\nneeds you: #2 unchanged for 2 iterations, endorsed once; the mind has/);
    expect(await attention()).toMatchObject({ level: 'needs_you' });

    const { drafts, turn } = (await ok('drafts', '--json')).json;
    expect(turn).toBe(1);
    expect(drafts).toMatchObject([
      { index: 3, iter: 3, text: '+1', seen: false, signal: 'soft' },
      { index: 2, iter: 2, signal: null, confidence: 0.8, status: 'final' },
      { index: 1, iter: 1, signal: null },
    ]);
    expect((await ok('drafts')).out).toMatch(/#3 {2}\+1 {2}new[\s\S]*#2 {2}new {2}final {2}80 % sure[\s\S]*#1 {2}new/);
    expect((await ok('drafts', '2', '--json')).json.drafts).toHaveLength(1);
    expect((await ok('drafts', 'diff', '1', '2')).out).toContain('Plant beans in [-May-]{+June, beside poles+}.');
    expect((await ok('drafts', 'seen', '1')).out).toBe('Seen: #1\n');
    expect((await ok('away')).out).toMatch(
      /^2 new drafts, 1 different reply, "\+1" once since #1, the last reply you saw/,
    );

    expect((await ok('accept')).out).toBe('Turn 1 is answered with draft #2.\n');
    const late = await mind('accept', '1', '--json');
    expect([late.code, JSON.parse(late.err).error.code]).toEqual([3, 'idle']);
    expect((await ok('history', '--json')).json.turns).toMatchObject([
      {
        turn: 1,
        message: 'Shall we plant beans?',
        reply: 'Plant beans in June, beside poles.',
        accepted_draft_index: 2,
      },
    ]);
    const lines = (await ok('drafts', 'archive')).out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      ...[1, 2, 3].map((index) => ({ kind: 'draft', index })),
      { kind: 'seen', drafts: [1] },
      { kind: 'accepted', draft: 2 },
    ]);
  });

  test('[C7] [D6] steer, withdraw, reopen and fork; the current dialogue, --thread anywhere', async () => {
    const { ok, mind, path, say } = await open(...script(DRAFT, BETTER));
    const first = (await ok('init', 'First', '--json')).json.thread.id;
    expect(readFileSync(join(path, 'current-dialogue'), 'utf8')).toBe(`${first}\n`);
    expect((await mind('init', '--model', 'nobody')).err).toMatch(/no model "nobody".*script/);
    expect((await say('What comes\non standard input\n')).code).toBe(0);
    await ok('run', '2');
    expect((await ok('steer', 'Shorter.')).out).toContain('next iteration');
    expect((await ok('status', '--json')).json.turn).toMatchObject({
      message: 'What comes\non standard input',
      steer: ['Shorter.'],
    });

    const beside = (await ok('fork', 'Beside', '--json')).json.thread.id;
    expect((await ok('status', '--json')).json).toMatchObject({ state: 'idle', iter: 0 });
    expect((await ok('--thread', 'First', 'status', '--json')).json.state).toBe('awaiting');
    await ok('message', 'Another topic');
    expect((await ok('withdraw')).out).toBe('Withdrew the message of turn 1.\n');
    expect((await ok('open')).out).toMatch(/→ +\w+ +Beside\n +\w+ +First/);
    await ok('open', 'First');

    const better = join(path, 'better.txt');
    writeFileSync(better, 'Plant beans in July.\n');
    expect((await ok('accept', '1', '--edit-file', better)).out).toContain('draft #1, with your edits');
    const [turn] = (await ok('history', '--json')).json.turns;
    expect(turn).toMatchObject({
      reply: 'Plant beans in July.',
      draft: 'Plant beans in May.',
      accepted_draft_index: 1,
    });
    expect((await ok('history')).out).toContain('[-May-]{+July+}.');

    expect((await ok('drafts', '--turn', '1', '--json')).json.drafts).toHaveLength(2);
    const reopened = (await ok('reopen', '1', '--draft', '2', '--json')).json.thread.id;
    expect(new Set([first, beside, reopened]).size).toBe(3);
    expect((await ok('history', '--json')).json.turns).toMatchObject([{ accepted_draft_index: 2 }]);
    expect((await ok('history', '--thread', first, '--json')).json.turns).toMatchObject([{ accepted_draft_index: 1 }]);
    await ok('history', 'prune', '1');
    expect((await ok('history', '--json')).json.turns).toMatchObject([{ turn: 1, pruned: true }]);
    await ok('history', 'prune', '0');
    expect((await ok('history', '--json')).json.turns[0]).not.toHaveProperty('pruned');
  });

  test('[C7] [D15] [M14] presence, config and clusters; a model nobody has is refused, an old key with its replacement', async () => {
    const { ok, mind } = await open(...script(DRAFT));
    await ok('init');
    await ok('presence', 'reviewing');
    expect((await ok('status', '--json')).json.engagement).toBe('reviewing');
    expect((await ok('status')).out).toContain('0 iterations and 0 thoughts so far, by mind_0; you are reviewing');
    expect((await mind('presence', 'bored')).code).toBe(2);
    await ok('config', 'auto_accept=4', 'budget.iterations=7', 'budget.money=0.5', 'model=script');
    await ok('config', 'budget.money=none');
    const nobody = await mind('config', 'model=nosuch');
    expect(nobody).toMatchObject({ code: 3, err: expect.stringMatching(/no model "nosuch".*Nothing was changed/) });
    expect((await ok('config', '--json')).json.config).toMatchObject({
      auto_accept: 4,
      budget: { iterations: 7 },
      model: 'script',
      history_pairs: 10,
    });
    expect((await ok('config')).out).toMatch(/auto_accept +4\nbudget +7 iterations\nprompt +none +default/);
    const old = await mind('config', 'draft_buffer_size=3', '--json');
    expect(old.code).toBe(3);
    expect(JSON.parse(old.err).error.message).toContain('draft_display_count');
    expect((await mind('config', 'auto_accept')).code).toBe(2);
    await ok('message', 'Shall we plant beans?');
    await ok('step');
    expect((await ok('clusters', '--json')).json).toMatchObject({ clusters: [], noise: expect.any(Number) });
  });

  test('[C7] [D5] accepting from elsewhere ends a run; Ctrl-C stops one and nothing is lost', async () => {
    const slow = { text: SILENCE, repeat: 'always', pace: 5_000 } as const;
    const { ok, begin } = await open({ text: DRAFT, when: 'iter: 1\n', repeat: 'always' }, slow);
    await ok('init', 'Slow');
    await ok('message', 'Shall we plant beans?');
    const stopping = begin('run');
    await stopping.waitForOutput(/draft #1/);
    stopping.process.kill('SIGINT');
    const stopped = await stopping.ended;
    expect([stopped.code, stopped.err]).toEqual([0, '']);
    expect(stopped.out).toMatch(/Run 1 ended after 1 of 20 iterations \([\d,]+ tokens\): it was stopped\.\n/);
    expect((await ok('status', '--json')).json).toMatchObject({
      drafts: 1,
      run: { state: 'ended', reason: 'stopped' },
    });

    const following = begin('run', '--json');
    const watching = begin('watch', '--json');
    await watching.waitForOutput(/"state":"running"/);
    expect((await ok('accept', '1')).out).toContain('draft #1');
    const followed = await following.ended;
    expect(followed.code).toBe(0);
    expect(JSON.parse(followed.out.trim().split('\n').at(-1) as string)).toMatchObject({
      run: { run: 2, state: 'ended', reason: 'accepted' },
      attention: { level: 'idle' },
    });
    await watching.waitForOutput(/"attention":\{"level":"idle"/);
    watching.process.kill('SIGINT');
    expect((await watching.ended).code).toBe(0);
  });
});

test('[C7] [D14] who watches is told each change: thinking, publishable, needs you', async () => {
  const { ok, begin } = workspaceWith(script(DRAFT, ENDORSED));
  await ok('init');
  await ok('message', 'Shall we plant beans?');
  const watching = begin('watch');
  await watching.waitForOutput(/^No reply yet/);
  for (const expected of [/Draft #1 is ready/, /publishable: #1 unchanged/, /needs you: #1 unchanged/]) {
    await ok('step');
    await watching.waitForOutput(expected);
  }
});

test('[C7] a run that a killed process left behind is gone on with, or stopped', async () => {
  async function leftBehind() {
    const workspace = workspaceWith([
      { text: DRAFT, when: 'iter: 1\n', repeat: 'always' },
      { text: SILENCE, repeat: 'always', pace: 10_000 },
    ]);
    await workspace.ok('init');
    await workspace.ok('message', 'Shall we plant beans?');
    const killed = workspace.begin('run');
    await killed.waitForOutput(/draft #1/);
    killed.process.kill('SIGKILL');
    await killed.ended;
    expect((await workspace.ok('status', '--json')).json.run).toMatchObject({
      ...{ run: 1, state: 'running', interrupted: true },
    });
    const { out } = await workspace.ok('status');
    expect(out).toMatch(/run 1 was interrupted\s\("mind run" continues, "mind accept"\s+takes\s+it\)/);
    expect(out).not.toContain('still thinking');
    return workspace;
  }

  const joining = await leftBehind();
  writeFileSync(join(joining.path, 'mind.yaml'), JSON.stringify({ answers: script(DRAFT) }));
  const joined = await joining.ok('run', '2');
  expect(joined.err).toContain('joining run 1');
  expect(joined.out).toMatch(/^2 {2}silence[\s\S]*\nRun 1 ended after 2 of 20 iterations/);

  const stopping = await leftBehind();
  expect((await stopping.ok('stop')).out).toBe('The mind stopped thinking.\n');
  expect((await stopping.ok('stop')).out).toBe('The mind was not thinking.\n');
  expect((await stopping.ok('status', '--json')).json.run).toMatchObject({ run: 1, reason: 'stopped' });
});

test('[I3] control characters of a mind are shown, not obeyed; a mind that fails says why and pauses', async () => {
  const hostile = 'thoughts: ["\\e[2J"]\ndraft: "Red \\e[31mink\\e[0m and \\u202ereversed"';
  const { ok, mind } = workspaceWith([{ text: hostile, when: 'iter: 1\n' }]);
  await ok('init', 'Ink');
  await ok('message', 'Write.');
  for (const words of [['step'], ['drafts'], ['drafts', '--json'], ['status']]) {
    const { out } = await ok(...words);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  }
  expect((await ok('drafts')).out).toContain('<U+202E>reversed');
  const failed = await mind('run', '--json');
  expect(failed.code).toBe(1);
  expect(JSON.parse(failed.err).error).toMatchObject({ code: 'run_paused' });
  const told = await mind('run');
  const [why] = /The script .*?\.(?= )/.exec(told.err) ?? [];
  expect(`${told.out}${told.err}`.split(why ?? '').length - 1).toBe(2);
  expect((await ok('status', '--json')).json.attention).toMatchObject({ level: 'needs_you' });
});

test('[D31] a step whose answer is no use exits 1, says why once, and how to see what the model sent', async () => {
  const useless = { text: 'draft: [a list]', repeat: 'always' } as const;
  const { ok, mind, heddle } = workspaceWith([useless]);
  await ok('init', 'Ink');
  await ok('message', 'Write.');
  const failed = await mind('step');
  expect(failed.code).toBe(1);
  const [, sentence, link] = /^(Iteration 1 failed: .*) See the raw answer: heddle explain "(.*)" --whole$/m.exec(
    failed.err,
  ) as unknown as [string, string, string];
  expect(sentence).toContain('"draft" is a list or a mapping');
  const explained = await heddle('explain', link, '--whole');
  expect([explained.code, explained.err]).toEqual([0, '']);
  expect(explained.out).toContain('draft: [a list]');
  expect((await mind('run', '2')).code).toBe(1);
});

test('[D31] a model that is away is waited for, and the terminal says until when and why', async () => {
  const { ok, mind } = workspaceWith([{ fault: 'unreachable', repeat: 3 }, ...script(DRAFT)]);
  await ok('init', 'Away');
  await ok('message', 'Are you there?');
  const stepped = await mind('step');
  expect([stepped.code, stepped.out]).toEqual([0, expect.stringContaining('Plant beans in May.')]);
  expect(stepped.err).toMatch(/^Waiting for the model until \d\d:\d\d:\d\d: Nothing answers at .*\n$/);
});

test('[I3] each command of mind has help with examples; a wrong one says what is meant', async () => {
  const { ok, mind } = workspaceWith([]);
  const { out } = await ok('--help');
  const words = [...out.matchAll(/^ {2}([a-z]+)(?: <.*>)? {2,}/gm)].map(([, word]) => word as string);
  expect(words).toEqual(
    expect.arrayContaining(['init', 'open', 'message', 'step', 'run', 'watch', 'drafts', 'reopen']),
  );
  expect((await ok('run', '--help')).out).toMatch(/Examples:\n {2}mind run/);
  const wrong = await mind('draft');
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('Did you mean "mind drafts"?')]);
  const none = await mind('status', '--json');
  expect([none.code, JSON.parse(none.err).error.code]).toEqual([3, 'no_dialogue']);
  expect((await ok('completion', 'bash')).out).toMatch(/complete -o default -F _mind mind/);
});
