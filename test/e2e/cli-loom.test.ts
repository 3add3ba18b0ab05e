import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { cacheDirectory } from '../../src/models/builtin/weights/cache.ts';
import { FETCH_MS, storiesFile } from '../support/models/weights.ts';
import { newDirectory, newWorkspace, type RunResult, start } from '../support/program/heddle.ts';

// A test here starts the program many times, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const looms = join(import.meta.dirname, '../recordings/looms');
const SETTINGS = 'models:\n  base: {provider: scripted, path: base.yaml}\ndefaults: {loom: base}\n';
const SCRIPT = `answers:
  - when: heron
    choices: [" stood still.", " flew off.", " \\u001b[31mspoke."]
    repeat: always
  - when: slow
    text: one two three four five six seven eight nine ten
    pace: 250
    repeat: always
  - when: blank
    choices: ["  ", " a lamp.", " a door."]
    repeat: always
  - when: limited
    fault: rate_limited
    retry_after: 1
  - when: limited
    text: Here it is.
  - when: broken
    text: It goes well until
    fault: cut
    after: 2
    repeat: always
`;

function newLoomWorkspace() {
  const workspace = newWorkspace();
  writeFileSync(join(workspace.path, 'heddle.yaml'), SETTINGS);
  writeFileSync(join(workspace.path, 'base.yaml'), SCRIPT);
  const json = async (...words: string[]) => (await workspace.ok(...words, '--json')).json;
  return { ...workspace, json };
}

test('[W32] generate says why it waits, and when the model is asked again', async () => {
  const { ok, run } = newLoomWorkspace();
  await ok('loom', 'new', 'Limit', '--text', 'A limited model');
  const { out, err } = await run(['loom', 'generate', 'Limit', '-n', '1']);
  expect(err).toMatch(
    /^Waiting for the model until \d\d:\d\d:\d\d: The model "base" is rate-limited \(429\): [^\n]*\.$/m,
  );
  expect(out).toContain('Here it is.');
});

describe.for([
  ['with a server', true],
  ['without a server', false],
] as const)('%s', ([, served]) => {
  async function open() {
    const workspace = newLoomWorkspace();
    if (served) await workspace.serve();
    return workspace;
  }

  test('[C9] [W3] [W4] [W6] [W29] write, generate, switch, edit an earlier node: what follows stays and is marked', async () => {
    const { ok, json } = await open();
    const { id } = await json('loom', 'new', 'Heron', '--text', 'Once a heron');
    const generated = await json('loom', 'generate', 'Heron', '-n', '3');
    expect(generated).toMatchObject({ id, model: 'base', usage: {} });
    const [first, second] = generated.choices;
    expect(generated.choices.map(({ content }: { content: string }) => content)).toEqual([
      ' stood still.',
      ' flew off.',
      ' \u001b[31mspoke.',
    ]);
    expect(await json('loom', 'switch', id.slice(0, 12), second.node.slice(-8))).toEqual({
      id,
      node: second.node,
      tip: second.node,
    });
    const { node: appended } = await json('loom', 'append', 'Heron', ' Nobody saw it.');
    const before = await json('loom', 'show', 'Heron');
    const edited = await json('loom', 'edit', 'Heron', before.path[0].node, 'Twice a heron');
    expect(edited).toMatchObject({ edited_from: before.path[0].node, changed: true, kept: 2, stale: 2 });
    const shown = await json('loom', 'show', 'Heron');
    const siblings = generated.choices.map(({ node }: { node: string }) => node);
    expect(shown).toEqual({
      id,
      text: 'Twice a heron flew off. Nobody saw it.',
      path: [
        {
          node: edited.node,
          author: 'human',
          kind: 'human',
          start: 0,
          end: 13,
          versions: [before.path[0].node, edited.node],
          siblings: [edited.node],
          sources: ['root'],
          stale: false,
          edited_from: before.path[0].node,
        },
        {
          node: second.node,
          author: 'base',
          kind: 'model',
          start: 13,
          end: 23,
          versions: [second.node],
          siblings,
          // It follows both versions of what stands before it (W29).
          sources: [before.path[0].node, edited.node],
          stale: true,
        },
        {
          node: appended,
          author: 'human',
          kind: 'human',
          start: 23,
          end: 38,
          versions: [appended],
          siblings: [appended],
          sources: [second.node],
          stale: true,
        },
      ],
      version_selections: { [before.path[0].node]: edited.node },
    });
    expect((await ok('loom', 'text', 'Heron')).out).toBe(shown.text);
    expect((await json('loom', 'authorship', 'Heron')).spans).toMatchObject([
      { start: 0, end: 13, author: 'human', kind: 'human' },
      { start: 13, end: 23, author: 'base', kind: 'model' },
      { start: 23, end: 38, author: 'human', kind: 'human' },
    ]);
    const beside = await ok('loom', 'show', 'Heron', second.node.slice(-10));
    expect(beside.out).toMatch(/stood still\..*│ +flew off\..*│ .*spoke\./);
    expect(beside.out).toContain(`▶ ${second.node.slice(-6)} base`);
    // What a model says never reaches the terminal as a command.
    expect(beside.out).not.toContain('\u001b');
    expect(beside.out).toContain('␛[31m');
    const table = (await ok('loom', 'show', 'Heron')).out;
    expect(table).toMatch(/version 2\/2.*Twice[\s\S]*branch 2\/3, stale/);
    expect((await ok('loom', 'text', 'Heron', '--authors')).out).toMatch(
      /^Twice a heron flew off\.² Nobody saw it\.\n\n {2}human human, 28 characters\n² base model, 10 characters\n$/,
    );

    expect(await json('loom', 'undo', 'Heron')).toMatchObject({ id, undone: 'commit' });
    expect((await json('loom', 'text', 'Heron')).text).toBe('Once a heron flew off. Nobody saw it.');
    expect(await json('loom', 'redo', 'Heron')).toMatchObject({ redone: 'commit' });
    await ok('loom', 'mark', 'Heron', first.node, '--bookmark', 'calm', '--tag', 'still', 'good', '--prune');
    const tree = (await ok('loom', 'tree', 'Heron')).out;
    expect(tree).toMatch(/^● \w{6} Twice a heron.*2 versions/);
    expect(tree).toMatch(/├─○ \w{6} stood still\. .*pruned, ★ calm, #still #good, base\n/);
    expect(tree).toMatch(/● \w{6} flew off\. … Nobody saw it\. {2}2 in a row, human\n$/);
    const rows = await json('loom', 'tree', 'Heron');
    expect(rows).toMatchObject({ id, total: 5 });
    expect(rows.nodes.map(({ on_path }: { on_path: boolean }) => on_path)).toEqual([true, false, true, false, true]);
    expect(rows.nodes[1]).toMatchObject({ node: first.node, parent: 1, pruned: true, kind: 'model' });
    await ok('loom', 'mark', 'Heron', first.node, '--restore', '--untag', 'still', '--bookmark', '');
    expect((await json('loom', 'show', 'Heron', first.node)).marks).toEqual({ tags: ['good'] });
    expect((await json('loom', 'search', 'Heron', 'FLEW', 'off')).found).toMatchObject([
      { node: second.node, on_path: true },
    ]);
    expect((await ok('verify', 'Heron')).out).toMatch(/Every link holds/);
  });

  test('[W16] Ctrl-C stops a generation and keeps what came; one that breaks off keeps it, too', async () => {
    const { json, run, start: begin, path } = await open();
    const { id } = await json('loom', 'new', 'Slow', '--text', 'A slow tale:');
    const asking = begin('loom', 'generate', 'Slow', '-n', '1', '--json');
    await untilStreamed(path, id);
    asking.process.kill('SIGINT');
    const stopped = await asking.ended;
    expect(stopped.code).toBe(0);
    expect(stopped.json.choices).toMatchObject([{ finish: 'cancelled' }]);
    expect('one two three four five six seven eight nine ten'.startsWith(stopped.json.choices[0].content)).toBe(true);
    expect((await json('loom', 'text', 'Slow')).text).toBe(`A slow tale:${stopped.json.choices[0].content}`);

    await json('loom', 'new', 'Cut', '--text', 'A broken tale:');
    const cut = await run(['loom', 'generate', 'Cut', '-n', '1', '--json']);
    expect(cut.code).toBe(1);
    expect(JSON.parse(cut.err).error.code).toBe('model_unavailable');
    expect((await json('loom', 'text', 'Cut')).text).toMatch(/^A broken tale:It goes/);
  });

  test('[W16] I am told how many of three ways came, and the command for the rest goes on from the same place', async () => {
    const { ok, json, run } = await open();
    const { id } = await json('loom', 'new', 'Cut', '--text', 'A broken tale:');
    const { code, err } = await run(['loom', 'generate', 'Cut', '-n', '3']);
    const rest = new RegExp(`2 of 3 arrived\\..* For the rest: heddle (loom generate ${id} -n 1 --at \\S+)`).exec(
      err,
    )?.[1];
    expect([code, rest]).toEqual([1, expect.any(String)]);
    await run((rest as string).split(' '));
    const { out } = await ok('loom', 'tree', 'Cut');
    expect(out.match(/It/g)).toHaveLength(3);
    expect((await json('loom', 'text', 'Cut')).text).toMatch(/^A broken tale:It( goes)?$/);
  });

  test('[W4] the first choice is blank: I am shown the next one, and so is everybody I send the loom to', async () => {
    const { ok, json, path } = await open();
    const { id } = await json('loom', 'new', 'Blank', '--text', 'A blank page,');
    const { out } = await ok('loom', 'generate', 'Blank');
    expect(out).toMatch(/^○ \S+ base\n[^●]*● \S+ base\n {3}a lamp\.\n○ \S+ base\n {3}a door\.\n$/);
    expect((await ok('loom', 'text', 'Blank')).out).toBe('A blank page, a lamp.');
    expect((await ok('verify', 'Blank')).out).toMatch(/Every link holds/);
    const file = join(path, 'blank.jsonl');
    await ok('loom', 'export', id, '-o', file);
    const other = newWorkspace();
    await other.ok('loom', 'import', file);
    expect((await other.ok('loom', 'text', id)).out).toBe('A blank page, a lamp.');
  });

  test('[W26] [C9] import with a report, export in every format, and back', async () => {
    const { ok, json, path } = await open();
    const imported = await json('loom', 'import', join(looms, 'socketteer.json'));
    expect(imported).toMatchObject({ format: 'socketteer', nodes: 6, report: { secrets_removed: 1 } });
    expect(imported.report.dropped).toContainEqual({ field: 'preferences', count: 1, why: expect.any(String) });
    const chats = await ok('loom', 'import', join(looms, 'chats'));
    expect(chats.out).toMatch(/^Imported .*read as sillytavern\.\n {2}Lost: /);
    const several = await ok('loom', 'import', join(looms, 'plain.md'), join(looms, 'openloom.json'), '--json');
    expect(
      several.out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).format),
    ).toEqual(['text', 'openloom']);
    for (const format of ['openloom', 'loom', 'markdown', 'text', 'html'])
      await ok('loom', 'export', imported.id, '--format', format, '-o', join(path, `out.${format}`));
    const printed = (await ok('loom', 'export', imported.id, '--format', 'html')).out;
    expect(printed).toBe(readFileSync(join(path, 'out.html'), 'utf8'));
    expect(readFileSync(join(path, 'out.markdown'), 'utf8')).toMatch(/^# socketteer\n[\s\S]*\(model, \d+ characters\)/);
    const again = await json('loom', 'import', join(path, 'out.openloom'), '--format', 'openloom');
    expect(again.nodes).toBe((await json('loom', 'tree', imported.id)).total);

    const file = join(path, 'whole.jsonl');
    await ok('loom', 'export', imported.id, '-o', file);
    expect((await ok('verify', '--file', file)).out).toMatch(/Every link holds/);
    const other = newWorkspace();
    const back = (await other.run(['loom', 'import', file, '--json'])).json;
    expect(back).toMatchObject({ id: imported.id, format: 'heddle', report: { dropped: [], secrets_removed: 0 } });
    const once = (await other.ok('loom', 'export', imported.id, '--format', 'jsonl')).out;
    expect(withoutDate(once)).toBe(withoutDate(readFileSync(file, 'utf8')));
    expect((await other.ok('loom', 'text', imported.id)).out).toBe(readFileSync(join(path, 'out.text'), 'utf8'));
  });
});

test('[C6] [I3] errors are sentences with the right code; help has examples', async () => {
  const { run, json, serve } = newLoomWorkspace();
  await serve();
  await json('loom', 'new', 'Heron', '--text', 'Once');
  const node = (await json('loom', 'show', 'Heron')).path[0].node;
  const cases: [string[], number, string][] = [
    [['loom', 'show', 'Nothing'], 3, 'unknown_thread'],
    [['loom', 'switch', 'Heron', 'zzzz'], 3, 'unknown_node'],
    [['loom', 'edit', 'Heron', node], 2, 'usage'],
    [['loom', 'mark', 'Heron', node], 2, 'usage'],
    [['loom', 'generate', 'Heron', '-n', 'x'], 2, 'usage'],
    [['loom', 'generate', 'Heron', '-n', '99'], 3, 'malformed'],
    [['loom', 'generate', 'Heron', '--model', 'nope'], 3, 'unknown_model'],
    [['loom', 'import', join(looms, 'none.json')], 1, 'file'],
    [['loom', 'import', import.meta.filename, '--format', 'openloom'], 1, 'bad_file'],
    [['loom', 'import', import.meta.filename, '--format', 'nope'], 2, 'usage'],
    [['loom', 'export', 'Heron', '--format', 'pdf'], 2, 'usage'],
    [['loom', 'undo', 'Heron', 'x', 'y'], 2, 'usage'],
  ];
  const ran = await Promise.all(cases.map(([words]) => run([...words, '--json'])));
  for (const [i, [words, exit, code]] of cases.entries()) {
    const { code: ended, err } = ran[i] as RunResult;
    expect([words, ended, JSON.parse(err).error.code]).toEqual([words, exit, code]);
    expect(JSON.parse(err).error.message).toMatch(/\.$|\n/);
  }
});

test('[I3] every command of a loom has help with an example', async () => {
  const { out } = await start(['loom', '--help']).ended;
  const names = [...out.matchAll(/^ {2}([a-z]+) .*$/gm)].map(([, name = '']) => name);
  for (const wanted of [
    'new',
    'append',
    'edit',
    'generate',
    'switch',
    'text',
    'show',
    'tree',
    'mark',
    'search',
    'undo',
    'import',
    'export',
    'authorship',
  ])
    expect(names).toContain(wanted);
  const { out: help } = await start(['loom', 'generate', '--help']).ended;
  expect(help).toMatch(/--max-tokens[\s\S]*Examples:\n {2}heddle loom generate/);
});

describe('on the embedded model', () => {
  beforeAll(storiesFile, FETCH_MS);

  test('[W16] [M3] no key and no reading: three continuations of a sentence', async () => {
    const env = { HEDDLE_CACHE: cacheDirectory() };
    const workspace = newWorkspace(newDirectory());
    const run = (...words: string[]) => workspace.run(words, { env });
    await run('loom', 'new', '--text', 'Once upon a time');
    const { code, out } = await run(
      'loom',
      'generate',
      'Once upon a time',
      '-n',
      '3',
      '--max-tokens',
      '6',
      '--seed',
      '3',
    );
    expect(code).toBe(0);
    expect(out).toMatch(/^● \w{6} small\n {2}\S?.*\n○ \w{6} small\n[\s\S]*\n○ \w{6} small\n/);
    const { json } = await run('loom', 'show', 'Once upon a time', '--json');
    expect(json.path[1]).toMatchObject({ author: 'small', kind: 'model', stale: false });
    expect(json.path[1].siblings).toHaveLength(3);
    expect((await run('loom', 'export', 'Once upon a time', '--format', 'markdown')).out).toContain('small (model,');
  });
});

/** Resolves when a text has begun to come, told by whichever process serves this workspace. */
async function untilStreamed(workspace: string, thread: string): Promise<void> {
  const read = (name: string) => readFileSync(join(workspace, name), 'utf8');
  const { url } = await vi.waitFor(() => JSON.parse(read('server.json')), { timeout: 60_000 });
  const client = createClient({ url, token: read('token').trim() });
  for await (const { live } of client.thread(thread).stream()) if (live?.type === 'generation.streamed') return;
}

function withoutDate(lines: string): string {
  return lines.replace(/"created":"[^"]*"\}\n/, '').replace(/,"sum":"\w{64}"/, '');
}
