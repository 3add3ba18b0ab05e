import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/support/servers/server.ts';
import { readExport } from '../../../test/support/stores/exports.ts';

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer();
});
afterEach(() => server.close());

async function invite(title: string, id: string, profile: object) {
  await server.client().threads.create({ title, invite: [{ participant_id: id, profile }] });
}

test('[T37] everybody in any thread has a name, a kind and a model', async () => {
  await invite('One', 'iris', { client: 'model', model: 'small', nickname: 'Iris the Second' });
  await invite('Two', 'bare', {});
  const { people } = await server.client().people();
  expect(people).toEqual({
    ada: { name: 'ada', kind: 'person' },
    alpha: { name: 'alpha', kind: 'client' },
    bare: { name: 'bare', kind: 'client' },
    iris: { name: 'Iris the Second', kind: 'model', model: 'small' },
  });
});

test('[T37] the newest thread says what somebody is called', async () => {
  await invite('One', 'iris', { nickname: 'Old', model: 'small' });
  await invite('Two', 'iris', { nickname: 'New' });
  expect((await server.client().people()).people.iris).toMatchObject({ name: 'New', kind: 'client' });
});

test('[T37] nobody is shown under the id or the nickname of another', async () => {
  await invite('One', 'iris', { nickname: 'Ada' });
  await invite('Two', 'juno', { nickname: 'Scribe' });
  await invite('Three', 'kore', { nickname: 'scribe' });
  const { people } = await server.client().people();
  expect([people.iris?.name, people.juno?.name, people.kore?.name]).toEqual(['iris', 'juno', 'kore']);
});

test('[T37] [L25] an imported thread says nothing of the people here', async () => {
  const other = await openTestServer();
  try {
    const { thread } = await other.client().threads.create({
      title: 'Theirs',
      invite: [{ participant_id: 'alpha', profile: { nickname: 'Not you' } }],
    });
    await server.client().import(await readExport(other.engine.log));
    expect((await server.client().threads.list()).threads).toMatchObject([
      { id: thread.id, imported: { waiting: true } },
    ]);
    const { people } = await server.client().people();
    expect(people.alpha).toEqual({ name: 'alpha', kind: 'client' });
  } finally {
    await other.close();
  }
});

test('[T37] names like those of built-in properties are names', async () => {
  await invite('One', 'constructor', { nickname: 'toString' });
  expect((await server.client().people()).people.constructor).toEqual({ name: 'toString', kind: 'client' });
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('[T37] I have a name and a picture of my own in the whole workspace', async () => {
  const client = server.client();
  const { blob } = await client.blobs.upload(new Uint8Array(PNG));
  expect((await client.setProfile({ name: ' Ada Lovelace ', picture: blob })).profile).toEqual({
    name: 'Ada Lovelace',
    picture: blob,
  });
  const agent = server.client(server.agent);
  expect((await agent.people()).people.ada).toEqual({ name: 'Ada Lovelace', kind: 'person', picture: blob });
  await client.setProfile({ picture: null });
  expect((await client.people()).people.ada).toEqual({ name: 'Ada Lovelace', kind: 'person' });
  await invite('One', 'iris', { nickname: 'ada lovelace' });
  expect((await client.people()).people.iris?.name).toBe('iris');
  await expect(agent.setProfile({ name: 'Boss' })).rejects.toMatchObject({ code: 'forbidden' });
});

test.each(['alpha', 'ALPHA', 'system', 'a\u202eb', 'a\nb', '\u200b', ''])(
  '[T37] %j cannot be my name',
  async (name) => {
    await expect(server.client().setProfile({ name })).rejects.toMatchObject({
      code: expect.stringMatching(/forbidden|malformed|unacceptable_text/),
    });
  },
);

test('[T37] a picture is a small raster image that is there', async () => {
  const client = server.client();
  const pictureOf = async (bytes: Uint8Array<ArrayBuffer>) => (await client.blobs.upload(bytes)).blob;
  const svg = await pictureOf(new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>'));
  const large = await pictureOf(new Uint8Array(Buffer.concat([PNG, Buffer.alloc(256 * 1024)])));
  for (const [picture, code] of [
    ['0'.repeat(64), 'unknown_blob'],
    ['../x', 'malformed'],
    [svg, 'malformed'],
    [large, 'too_large'],
  ] as const)
    await expect(client.setProfile({ picture })).rejects.toMatchObject({ code });
});

test('[T38] I write a persona once, change it and remove it', async () => {
  const client = server.client();
  const { persona } = await client.personas.add({
    name: 'Iris, the Gardener',
    instructions: 'Plan in small steps.',
    model: 'small',
  });
  expect(persona).toMatchObject({ id: 'iris-the-gardener', model: 'small' });
  await expect(client.personas.add({ name: 'Other', id: 'IRIS-the-gardener' })).rejects.toMatchObject({
    code: 'conflict',
  });
  await expect(client.personas.add({ name: 'IRIS, the gardener', id: 'two' })).rejects.toMatchObject({
    code: 'conflict',
  });
  await client.personas.change('iris-the-gardener', { model: null, name: 'Iris' });
  expect((await client.personas.list()).personas).toEqual([
    { id: 'iris-the-gardener', name: 'Iris', instructions: 'Plan in small steps.' },
  ]);
  await client.personas.remove('iris-the-gardener');
  expect((await client.personas.list()).personas).toEqual([]);
  await expect(client.personas.remove('iris-the-gardener')).rejects.toMatchObject({
    code: 'unknown_persona',
    status: 404,
  });
});

test('[T38] [T22] a persona is never a person, names a model that exists, and is made by people', async () => {
  const client = server.client();
  const hostile = [
    [{ name: 'Ada' }, 'forbidden'],
    [{ name: 'X', model: 'nothing' }, 'unknown_model'],
    [{ name: 'a\u202eb' }, 'malformed'],
    [{ name: 'X', id: '../x' }, 'malformed'],
    [{ name: 'X', instructions: 'x'.repeat(16_001) }, 'malformed'],
    [{ name: 'X', instructions: `Use ${server.human}` }, 'unacceptable_text'],
    [{ name: 'all' }, 'malformed'],
  ] as const;
  for (const [input, code] of hostile)
    await expect(client.personas.add(input), JSON.stringify(input).slice(0, 80)).rejects.toMatchObject({ code });
  await expect(server.client(server.agent).personas.add({ name: 'Mine' })).rejects.toMatchObject({ code: 'forbidden' });
  expect((await client.personas.list()).personas).toEqual([]);
});
