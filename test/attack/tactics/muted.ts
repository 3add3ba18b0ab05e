import { endpoints } from '../../../src/protocol/routes.ts';
import { isDone } from '../caller.ts';
import { requestFor } from '../endpoints.ts';
import { HUMAN } from '../house.ts';
import type { Tactic } from '../tactic.ts';

/** A muted agent may read and be present, and what only it sees (T28). */
const HARMLESS = ['/presence', '/delivery', '/read-mark', '/scratch', '/cursor', '/summary'];

/** Everything that writes, by an agent that was muted in the thread, and by one in a thread that is paused. */
export const muted: Tactic = {
  name: 'muted',
  rules: '[T7] [T28]',
  async run({ house, random, intruder, find }) {
    const mallory = await intruder();
    const human = await house.as(HUMAN);
    for (const how of ['muted', 'paused'] as const) {
      const invite = [{ participant_id: mallory.id }];
      const { thread } = await human.threads.create({ title: how, invite });
      const opened = await mallory.post(`/api/threads/${thread.id}/commands/side_open`, {
        question: 'Whose?',
        members: ['bee'],
      });
      const side = (JSON.parse(opened?.text ?? '{}') as { thread?: { id: string } }).thread?.id ?? '';
      for (const id of [thread.id, side]) {
        const content =
          how === 'muted' ? { mute: { targets: [mallory.id], mode: 'hard' as const } } : { pause: { on: true } };
        await human.thread(id).post({ type: 'control', content });
      }
      const controls = [
        { prod: ['bee'] },
        { invite: { participant_id: 'bee' } },
        { invite: { participant_id: 'ghost-of-the-muted' } },
        { profile: { nickname: 'Boss' } },
      ];
      const wishes = [
        ...controls.map((content) => ({
          key: `control ${Object.keys(content)[0]}`,
          body: { type: 'control', content },
        })),
        { key: 'message', body: { type: 'message', content: 'still here' } },
        { key: 'task', body: { type: 'task', content: 'x', to: 'bee' } },
      ].map(({ key, body }) => ({ key, path: `/api/threads/${thread.id}/events`, text: JSON.stringify(body) }));
      const commands = endpoints
        .filter(({ path, body, access }) => body && access === 'participant' && path.includes('/:thread/'))
        .filter(({ path }) => !HARMLESS.some((end) => path.endsWith(end)) && !path.endsWith('/events'))
        .map((endpoint) => {
          const { text = '{}' } = requestFor(endpoint, { random, house, oneIn: 0 });
          const place = endpoint.key.endsWith('side_close') ? side : thread.id;
          return { key: endpoint.key, path: endpoint.path.replace(':thread', place).replace(/:\w+/g, 'x'), text };
        });
      for (const { key, path, text } of [...wishes, ...commands]) {
        const answer = await mallory.send({
          method: 'POST',
          path,
          text,
          headers: { 'content-type': 'application/json' },
        });
        const events = (JSON.parse(answer?.text || '{}') as { events?: readonly object[] }).events;
        if (isDone(answer) && events?.length !== 0) find(`an agent that is ${how} may still send ${key}`, text);
      }
    }
  },
};
