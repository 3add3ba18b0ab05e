import { type Caller, isDone, jsonOf } from '../caller.ts';
import type { Scene, Tactic } from '../tactic.ts';

/** Far above what an agent may do in an hour unless a human allows more (T23). */
const INVITATIONS = 120;
const DRAFTS = 60;
const THREADS = 60;
const IMPORTED_MEGABYTES = 40;
const DRAFT_CHARACTERS = 50_000;

/** More of everything than one agent should get. */
export const limits: Tactic = {
  name: 'limits',
  rules: '[I18] [T23]',
  async run(scene) {
    const { intruder, house } = scene;
    const { hall, lab } = house.places;
    const mallory = await intruder();
    const at = (command: string) => `/api/threads/${hall}/commands/${command}`;
    await mustEnd(scene, mallory, 'threads', THREADS, (i) => ['/api/threads', { title: `Thread ${i}` }]);
    await mustEnd(scene, await intruder(), 'forks', THREADS, () => [`/api/threads/${lab}/commands/fork`, {}]);
    await mustEnd(scene, await intruder(), 'side channels', THREADS, (i) => [
      at('side_open'),
      { question: `Question ${i}?`, members: ['bee'] },
    ]);
    await mustEnd(scene, await intruder(), 'invitations', INVITATIONS, (i) => [
      `/api/threads/${lab}/events`,
      { type: 'control', content: { invite: { participant_id: `ghost-${i}` } } },
    ]);
    await mustEnd(scene, await intruder(), 'drafts', DRAFTS, () => [
      at('draft'),
      { text: 'd'.repeat(DRAFT_CHARACTERS) },
    ]);
    await mustRefuseImport(scene, await intruder());
    for (const view of ['state', 'conversation', 'presence']) await mallory.get(`/api/threads/${hall}/${view}`);
  },
};

/** However many it asks for, there is an end, said as "too many" with when to try again. */
async function mustEnd(
  { find }: Scene,
  caller: Caller,
  what: string,
  most: number,
  request: (i: number) => readonly [path: string, body: object],
) {
  for (let i = 0; i < most; i++) {
    const answer = await caller.post(...request(i));
    if (answer?.status !== 429) continue;
    const { retry_after } = jsonOf<{ error: { retry_after?: number } }>(answer)?.error ?? {};
    if (answer.headers['retry-after'] === undefined && what !== 'drafts')
      find(`the limit on ${what} does not say when to try again`, { retry_after, text: answer.text });
    return;
  }
  find(`one agent may make ${most} ${what} without an end`);
}

async function mustRefuseImport({ find }: Scene, caller: Caller) {
  const piece = JSON.stringify({ name: 'long.txt', base64: Buffer.alloc(768 * 1024, 'word ').toString('base64') });
  const lines = Math.ceil(IMPORTED_MEGABYTES / 0.75);
  const answer = await caller.send({
    method: 'POST',
    path: '/api/looms/import?format=text',
    headers: { 'content-type': 'application/jsonl' },
    text: `${piece}\n`.repeat(lines),
  });
  if (isDone(answer)) find(`one agent may import ${IMPORTED_MEGABYTES} MB at once`, answer?.text.slice(-300));
}
