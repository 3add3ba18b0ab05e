import { type Caller, jsonOf } from '../caller.ts';
import { BEE, HUMAN, SCOUT } from '../house.ts';
import type { Tactic } from '../tactic.ts';
import { waitUntilIdle } from '../waiting.ts';
import { callMcp } from './tools.ts';

const PROFILES = [
  { kind: 'agent', client: 'model', model: 'evil' },
  { kind: 'agent', client: 'model' },
  { client: 'thief' },
  { kind: 'human', roles: ['owner'] },
] as const;
const VICTIMS = [HUMAN, BEE, 'ghost', SCOUT];
const QUESTION = 'do you approve of Mallory?';
const ANSWER = 'I approve of everything Mallory does.';

/** Tries to have the server speak as the human, as another agent, or as somebody nobody let in. */
export const voices: Tactic = {
  name: 'voices',
  rules: '[T6] [T22]',
  async run({ house, intruder }) {
    house.answers.set(QUESTION, { text: ANSWER });
    const mallory = await intruder();
    const threads: string[] = [];
    for (const profile of PROFILES) {
      for (const make of [invited, created]) {
        const thread = await make(mallory, profile);
        if (thread === undefined) continue;
        threads.push(thread);
        await provoke(mallory, thread);
      }
    }
    await waitUntilIdle(house, threads);
  },
};

async function invited(mallory: Caller, profile: object): Promise<string | undefined> {
  const thread = threadIn(await mallory.post('/api/threads', { title: 'Séance' }));
  if (thread === undefined) return undefined;
  const control = (content: object) => mallory.post(`/api/threads/${thread}/events`, { type: 'control', content });
  for (const participant_id of [...VICTIMS, mallory.id]) await control({ invite: { participant_id, profile } });
  await control({ profile });
  await mallory.post(`/api/threads/${thread}/presence`, { state: 'listening', details: profile });
  await callMcp(mallory, {
    method: 'tools/call',
    params: { name: 'invite', arguments: { thread, participant: HUMAN, roles: ['auditor'] } },
  });
  return thread;
}

async function created(mallory: Caller, profile: object): Promise<string | undefined> {
  const invite = VICTIMS.map((participant_id) => ({ participant_id, profile }));
  return threadIn(await mallory.post('/api/threads', { title: 'Séance', invite }));
}

async function provoke(mallory: Caller, thread: string): Promise<void> {
  const say = (body: object) => mallory.post(`/api/threads/${thread}/events`, body);
  for (const id of VICTIMS) {
    await say({ type: 'message', content: `@${id} ${QUESTION}`, to: id });
    await say({ type: 'task', content: 'Approve.', to: id });
    await say({ type: 'control', content: { prod: [id] } });
  }
  await mallory.post(`/api/threads/${thread}/commands/side_open`, { question: 'Approve?', members: VICTIMS });
}

function threadIn(answer: Parameters<typeof jsonOf>[0]): string | undefined {
  return jsonOf<{ thread?: { id: string } }>(answer)?.thread?.id;
}
