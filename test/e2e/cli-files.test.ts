import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { newDirectory, newWorkspace, start } from '../support/program/heddle.ts';
import { pngOf } from '../support/texts/files.ts';

// A test here starts the program many times, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

function filesIn(directory: string) {
  const [photo, notes] = [join(directory, 'photo.png'), join(directory, 'notes.md')];
  writeFileSync(photo, pngOf(20, 10));
  writeFileSync(notes, '# Beds\n');
  return { photo, notes };
}

describe.for([
  ['with a server', true],
  ['without a server', false],
] as const)('%s', ([, served]) => {
  test('[I27] files are attached, named, saved again and exported from the command line', async () => {
    const { ok, run, serve } = newWorkspace();
    if (served) await serve();
    const directory = newDirectory();
    const { photo, notes } = filesIn(directory);
    await ok('threads', 'new', 'Garden');
    const { event } = (await ok('post', 'Garden', 'The beds', '--attach', photo, '--attach', notes, '--json')).json;
    expect(event.meta.attachments).toMatchObject([
      { name: 'photo.png', type: 'image/png', width: 20, height: 10 },
      { name: 'notes.md', type: 'text/plain', size: 7 },
    ]);
    await ok('post', 'Garden', '--attach', notes);
    const { out } = await ok('read', 'Garden');
    expect(out).toMatch(
      /The beds\n {2}\[photo\.png, \d+ B\]\n {2}\[notes\.md, 7 B\]\n[\s\S]* {2}notes\.md\n {2}\[notes\.md, 7 B\]/,
    );
    const target = join(directory, 'saved');
    await ok('file', 'Garden', String(event.seq), '-o', target);
    await ok('file', 'Garden', String(event.seq), '-o', target);
    expect(readdirSync(target).sort()).toEqual(['notes (2).md', 'notes.md', 'photo (2).png', 'photo.png']);
    expect(readFileSync(join(target, 'photo.png')).equals(pngOf(20, 10))).toBe(true);
    const exported = (await ok('export', 'Garden')).out;
    for (const { blob } of event.meta.attachments) expect(exported).toContain(`{"blob":"${blob}"`);
    await ok('verify');
    const { code, err } = await run(['post', 'Garden', 'More', '--attach', join(directory, 'none.png')]);
    expect(code).toBe(2);
    expect(err).toContain('There is no file');
  });
});

test('[I27] messages to a mind and words to an exchange take files', async () => {
  const workspace = newWorkspace();
  const { photo } = filesIn(newDirectory());
  const env = { HEDDLE_WORKSPACE: workspace.path };
  const of = async (program: 'mind' | 'logos', ...words: string[]) => {
    const ran = await start(words, { program, env }).ended;
    expect(ran.err + ran.out, words.join(' ')).not.toContain('error');
    expect(ran.code).toBe(0);
    return ran;
  };
  await of('mind', 'init', 'Beans');
  await of('mind', 'message', 'What is this?', '--attach', photo);
  await of('mind', 'steer', '--attach', photo);
  await of('logos', 'init', 'Gardens');
  await of('logos', 'inject', 'Look.', '--attach', photo);
  await of('logos', 'observe', 'And here.', '--attach', photo);
  const { out } = await workspace.ok('export');
  const names = out.split('\n').flatMap((line) => (line.includes('"attachments"') ? [JSON.parse(line).type] : []));
  expect(names).toEqual(['turn.opened', 'turn.steered', 'injection.made', 'observer.spoke']);
});
