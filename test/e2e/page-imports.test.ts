import { expect, test, vi } from 'vitest';
import { exportLog } from '../../src/formats/export/export-log.ts';
import { openTestServer } from '../support/servers/server.ts';
import { gone, noSeriousFindings, row, see, setUpPages } from './page-support.ts';

vi.setConfig({ testTimeout: 90_000 });
const pages = setUpPages();

/** What another "human" has under way, in a workspace of their own. */
async function elsewhere() {
  const server = await openTestServer();
  const human = server.client(await server.tokenFor('human', 'human'));
  const { thread: talk } = await human.threads.create({ title: 'Their talk' });
  await human.thread(talk.id).post({ type: 'message', content: 'Roses by the wall.' });
  const { thread: dialogue } = await human.threads.create({ title: 'Their mind', kind: 'dialogue' });
  await human.thread(dialogue.id).command('message', { text: 'Think of roses.' });
  const { thread: exchange } = await human.threads.create({ title: 'Their pool', kind: 'exchange' });
  const { thread: loom } = await human.threads.create({
    title: 'Their mill',
    kind: 'loom',
    setup: { text: 'Once upon a time' },
  });
  let text = '';
  for await (const part of exportLog(server.engine.log, { created: 'now' })) text += part;
  await server.close();
  return { text, rooms: { threads: talk.id, dialogue: dialogue.id, exchange: exchange.id, loom: loom.id } };
}

test('[L25] every room of an imported thread says that nothing runs until it is resumed, and whose words are imported', async () => {
  const { text, rooms } = await elsewhere();
  await pages.human().import(text);
  for (const [room, id] of Object.entries(rooms)) {
    const page = await pages.open(`/${room}/${id}`);
    const note = page.getByText('This thread was imported. Its unfinished work waits until you resume it.');
    await see(note);
    if (room === 'threads') await see(row(page, 'Roses by the wall.').getByText('human (imported)'));
    if (room === 'dialogue') await see(page.getByText('human (imported)').first());
    if (room === 'loom') await see(page.getByText('human (imported)').first());
    await noSeriousFindings(page, `the ${room} room of an import`);
    await page.getByRole('button', { name: 'Resume', exact: true }).first().click();
    await gone(note);
    expect((await pages.human().thread(id).get()).thread.imported?.waiting).toBeUndefined();
  }
});
