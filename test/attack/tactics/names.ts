import { jsonOf } from '../caller.ts';
import type { Tactic } from '../tactic.ts';
import { INHERITED } from '../values.ts';

/** Ids that every object already has, wherever an id may stand; and an agent who is really called one. */
export const names: Tactic = {
  name: 'names',
  rules: '[L8] [L23]',
  async run({ house, intruder }) {
    const mallory = await intruder();
    const { hall, talk, pool, loom, side } = house.places;
    const say = (thread: string, body: object) => mallory.post(`/api/threads/${thread}/events`, body);
    for (const name of INHERITED) {
      await Promise.all([
        say(hall, { type: 'result', content: 'done', meta: { reply_to: name } }),
        say(hall, { type: 'message', content: `@${name} hello`, meta: { reply_to: name, tags: [name] } }),
        say(hall, { type: 'message', content: 'hello', to: name }),
        say(hall, { type: 'task', content: { text: 'x', role: name } }),
        say(hall, { type: 'control', content: { prod: [name] } }),
        say(hall, { type: 'control', content: { invite: { participant_id: name } } }),
        say(name, { type: 'message', content: 'x' }),
        mallory.post(`/api/threads/${hall}/delivery`, { type: 'message', content: `@${name}`, to: name }),
        mallory.post(`/api/threads/${hall}/commands/draft`, { text: 'x', reply_to: name }),
        mallory.post(`/api/threads/${side}/commands/side_open`, { question: name, members: [name] }),
        mallory.post(`/api/threads/${loom}/commands/switch`, { node: name }),
        mallory.post(`/api/threads/${loom}/commands/commit`, { text: 'x', after: name }),
        mallory.get(`/api/threads/${hall}/events/${name}`),
        mallory.get(`/api/threads/${loom}/nodes/${name}`),
        mallory.get(`/api/threads/${talk}/provenance?turn=${name}`),
        mallory.get(`/api/threads/${pool}/state`),
        mallory.get(`/api/threads/${name}/state`),
        mallory.get(`/api/search?q=${name}&by=${name}`),
      ]);
    }
    for (const name of ['constructor', 'tostring', 'valueof', 'prototype']) {
      const one = await house.issue(name, 'names');
      const made = jsonOf<{ thread?: { id: string } }>(
        await one.post('/api/threads', { title: name, invite: [{ participant_id: name }, { participant_id: 'bee' }] }),
      );
      const thread = made?.thread?.id ?? hall;
      await one.post(`/api/threads/${thread}/events`, { type: 'message', content: `@${name} @bee hello` });
      await one.post(`/api/threads/${thread}/commands/draft`, { text: name });
      await one.post(`/api/threads/${thread}/presence`, { state: 'typing' });
      await one.post(`/api/threads/${thread}/events`, { type: 'task', content: 'x', to: name });
      for (const view of ['state', 'presence', 'conversation', 'trail'])
        await one.get(`/api/threads/${thread}/${view}`);
    }
  },
};
