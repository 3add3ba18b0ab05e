import { ask } from '../../faults/requests.ts';
import { HUMAN } from '../house.ts';
import { headOf, sendRaw } from '../raw.ts';
import type { Scene, Tactic } from '../tactic.ts';

/** Credentials that end in the middle of a wait, a stream or a session. */
export const revoked: Tactic = {
  name: 'revoked',
  rules: '[I17] [I25]',
  async run(scene) {
    await endWaits(scene);
    await endSessions(scene);
    await keepKinds(scene);
  },
};

async function endWaits({ house, intruder, find }: Scene) {
  const mallory = await intruder();
  const human = await house.as(HUMAN);
  const { thread } = await human.threads.create({ title: 'Later', invite: [{ participant_id: mallory.id }] });
  const { head } = await human.thread(thread.id).get();
  const waiting = mallory.get(`/api/threads/${thread.id}/events?after=${head}&wait=20`);
  const path = `/api/threads/${thread.id}/stream?after=head`;
  const stream = readToEnd(await house.server().then(({ url }) => url), path, mallory.token);
  await mallory.get('/api/me');
  await human.credentials.revoke(mallory.credential);
  await human.thread(thread.id).post({ type: 'message', content: 'not for the revoked' });
  const answer = await waiting;
  if (answer?.text.includes('not for the revoked'))
    find('a wait is answered with events after its credential was revoked', answer.text);
  const after = await mallory.get('/api/me');
  if (after && after.status !== 401) find('a revoked token still works', after.text);
  const told = await stream;
  if (told === undefined) find('a stream goes on after its credential was revoked');
  else if (told.includes('not for the revoked')) find('a stream tells events after its credential was revoked', told);
}

/** What a stream told until the server ended it; undefined where it does not end. */
async function readToEnd(url: string, path: string, token: string): Promise<string | undefined> {
  const signal = AbortSignal.timeout(15_000);
  try {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` }, signal });
    return await response.text();
  } catch {
    return signal.aborted ? undefined : '';
  }
}

/** A second human, whose token is revoked while a browser is signed in with it. */
async function endSessions({ house, find }: Scene) {
  const human = await house.as(HUMAN);
  const { url, client } = await house.server();
  const { token, credential } = await human.credentials.issue({ participant: 'guest', kind: 'human' });
  house.issued.add('guest');
  const link = (await client(token).signInLink()).url;
  const path = link.slice(link.indexOf('/signin'));
  const answer = await sendRaw(house, [await headOf(house, 'POST', path, ['Content-Length: 0'])]);
  const cookie = /set-cookie: ([^;]+)/i.exec(answer)?.[1] ?? '';
  const asSession = () => ask(url, { method: 'GET', path: '/api/me', headers: { cookie } });
  const before = await asSession();
  if (before.status !== 200) find('a session could not be opened', before.text);
  await human.credentials.revoke(credential.id);
  const after = await asSession();
  if (after.status !== 401) find('a session goes on after the token it was made from was revoked', after.text);
}

/** An id is of one kind for good: an agent's must not become a human's once nobody looks. */
async function keepKinds({ house, find }: Scene) {
  const human = await house.as(HUMAN);
  const { credential } = await human.credentials.issue({ participant: 'shifty' });
  house.issued.add('shifty');
  await human.credentials.revoke(credential.id);
  const again = await human.credentials.issue({ participant: 'shifty', kind: 'human' }).catch((error: Error) => error);
  if (!(again instanceof Error))
    find('an agent’s id becomes a human’s after its tokens were revoked', again.credential);
}
