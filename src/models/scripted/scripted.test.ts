import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { collect } from '../../../test/support/models/collect.ts';
import { isRefusal } from '../../core/refusal.ts';
import { parseScript } from './read.ts';
import { type ScriptedAnswerInput, scriptFaults } from './script.ts';
import { createScriptedModel } from './scripted.ts';

const say = (content: string) => ({ messages: [{ role: 'user', content }] }) as const;
const scriptedModel = (answers: ScriptedAnswerInput[], more = {}) =>
  createScriptedModel({ id: 'demo', script: { answers, ...more } });
let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'heddle-script-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('[M4] a script plays its answers in order, by condition and repeatedly where it says so', async () => {
  const path = join(dir, 'demo.yaml');
  writeFileSync(
    path,
    'answers:\n- text: One.\n- when: [rain, cold]\n  text: Stay in.\n- text: Else.\n  repeat: always\n',
  );
  const model = createScriptedModel({ id: 'demo', path });
  const answerTo = async (content: string) => (await collect(model.chat(say(content)))).texts[0];
  expect(await answerTo('a')).toBe('One.');
  expect(await answerTo('rain')).toBe('Else.');
  expect(await answerTo('cold rain')).toBe('Stay in.');
  expect(await answerTo('cold rain')).toBe('Else.');
});

test('[M4] a script continues a text with choices, probabilities, stop texts and a token limit', async () => {
  const tokens = [
    { text: ' upon', logprob: -0.5, alternatives: { ' more': -1.5 } },
    { text: ' a', logprob: -0.25 },
  ];
  const model = scriptedModel([
    { tokens },
    { choices: [' x y', ' z'] },
    { text: 'one two three.four' },
    { text: 'a b c' },
  ]);
  const first = await collect(model.complete({ prompt: 'Once', logprobs: 1 }));
  expect(first.chunks[0]).toEqual({
    type: 'text',
    choice: 0,
    text: ' upon',
    tokens: [{ text: ' upon', logprob: -0.5, alternatives: [{ text: ' more', logprob: -1.5 }] }],
  });
  expect((await collect(model.complete({ prompt: 'Once', n: 3 }))).texts).toEqual([' x y', ' z', ' x y']);
  expect((await collect(model.complete({ prompt: 'Once', stop: ['.', ' three'] }))).texts).toEqual(['one two']);
  const short = await collect(model.complete({ prompt: 'Once upon', maxTokens: 2 }));
  expect(short.texts).toEqual(['a b']);
  expect(short.chunks).toContainEqual({ type: 'end', choice: 0, reason: 'length' });
  expect(short.done?.usage).toEqual({ promptTokens: 2, generatedTokens: 2 });
  expect(await model.countTokens('two words')).toBe(2);
});

test('[M4] a script that has run out says so, and one that loops starts again', async () => {
  const once = scriptedModel([{ text: 'a' }]);
  await collect(once.chat(say('')));
  expect((await collect(once.chat(say('')))).refused?.refusal).toMatchObject({
    code: 'model_unavailable',
    message: expect.stringMatching(/^The script of "demo" has no matching answer left\./),
  });
  const looping = scriptedModel([{ text: 'a' }, { text: 'b' }], { loop: true });
  const codes: string[] = [];
  for (let i = 0; i < 5; i++) codes.push(...(await collect(looping.chat(say('')))).texts);
  expect(codes.join('')).toBe('ababa');
});

test('[M4] every fault except silence gives one refusal', async () => {
  for (const fault of scriptFaults.filter((each) => each !== 'hang')) {
    const { chunks, refused } = await collect(scriptedModel([{ text: 'a b c', fault, after: 1 }]).chat(say('')));
    expect(refused?.refusal.message, fault).toMatch(/\.$/);
    expect(chunks.filter((chunk) => chunk.type === 'refused')).toHaveLength(1);
  }
});

test('[M4] a silence lasts until it is cancelled', async () => {
  const controller = new AbortController();
  const kinds: string[] = [];
  for await (const chunk of scriptedModel([{ text: 'a b c', fault: 'hang', after: 1 }]).chat(
    say(''),
    controller.signal,
  )) {
    kinds.push(chunk.type);
    controller.abort();
  }
  expect(kinds).toEqual(['text', 'end', 'done']);
});

test('[M4] tokens come at the given pace', async () => {
  const waits: number[] = [];
  const time = { now: () => 0, wait: async (ms: number) => void waits.push(ms) };
  const model = createScriptedModel({ id: 'demo', script: { answers: [{ text: 'a b', pace: 30 }] }, time });
  await collect(model.chat(say('')));
  expect(waits).toEqual([30, 30]);
});

test('[M4] an error in a script file is reported with its line', async () => {
  const problemIn = (source: string) => {
    const read = parseScript(source, 'demo.yaml');
    return isRefusal(read) ? read.refusal.message : 'fine';
  };
  expect(problemIn('answers:\n- text: a\n- tex: b\n')).toMatch(/^demo\.yaml:3: /);
  expect(problemIn('answers:\n- text: a\n  fault: none\n')).toMatch(/^demo\.yaml:3: "answers\.0\.fault": /);
  expect(problemIn('answers:\n- text: a\n  choices: [b]\n')).toMatch(/exactly one of "text", "choices" and "tokens"/);
  expect(problemIn('answers: [\n')).toMatch(/^demo\.yaml:\d+: not YAML/);
  expect(problemIn('a: &x [1]\nb: *x\n')).toMatch(/references/);
  const missing = createScriptedModel({ id: 'demo', path: join(dir, 'none.yaml') });
  expect((await collect(missing.chat(say('')))).refused?.refusal).toMatchObject({
    code: 'bad_file',
    message: expect.stringContaining('cannot be read (ENOENT)'),
  });
});

test('[M4] the guide names every fault, and its examples are valid scripts', () => {
  const guide = readFileSync(new URL('../../../docs/guide/scripted-models.md', import.meta.url), 'utf8');
  for (const fault of scriptFaults) expect(guide).toContain(`\`${fault}\``);
  const examples = [...guide.matchAll(/```yaml\n(.*?)```/gs)].map(([, source]) =>
    parseScript(source as string, 'guide'),
  );
  expect(examples.map(isRefusal)).toEqual([false, false]);
});
