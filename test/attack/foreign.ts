// Exports of another workspace, true to the last link, whatever stands in them.
import type { Event } from '../../src/core/events/event.ts';
import { isRefusal } from '../../src/core/refusal.ts';
import type { Command } from '../../src/core/workspace.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { exportLog } from '../../src/formats/export/export-log.ts';
import { openMemoryLog } from '../../src/log/memory/memory-log.ts';
import { seal } from '../../src/log/seal.ts';
import { HUMAN } from './house.ts';

export interface Foreign {
  readonly thread: string;
  readonly text: string;
}

type Profile = Readonly<Record<string, unknown>>;

/** A thread in which an agent was asked something and has not answered yet. */
export async function exportWithOpenWake(participant: string, profile: Profile): Promise<Foreign> {
  const log = openMemoryLog();
  const engine = await createEngine({ log });
  const actor = { id: HUMAN, kind: 'human' } as const;
  const create = {
    name: 'create',
    input: { title: 'From elsewhere', kind: 'conversation', invite: [{ participant_id: participant, profile }] },
  } as Command;
  const made = await engine.handle(actor, create);
  if (isRefusal(made)) throw new Error(made.refusal.message);
  const thread = made.events[0]?.thread as string;
  const content = `@${participant} are you there?`;
  await engine.handle(actor, { name: 'post', input: { thread, type: 'message', content } });
  const text = await exportOf(log);
  await engine.close();
  await log.close();
  return { thread, text };
}

/** A thread whose first event is as given, and a message after it. */
export async function exportOfEvents(id: string, ...contents: readonly Partial<Event>[]): Promise<Foreign> {
  const log = openMemoryLog();
  let previous = '0'.repeat(64);
  for (const [i, given] of contents.entries()) {
    const event = {
      content: { title: 'Elsewhere', kind: 'conversation' },
      from: HUMAN,
      id: `${id}${i}`,
      meta: { by: 'human' as const },
      seq: i + 1,
      thread: id,
      to: 'all',
      ts: '2026-01-01T00:00:00.000Z',
      type: i === 0 ? 'thread.created' : 'message',
      v: 1,
      ...given,
    } as Omit<Event, 'hash'>;
    const sealed = seal(previous, event);
    previous = sealed.hash;
    await log.append([{ expected: [{ thread: id, seq: i }], events: [sealed] }]);
  }
  const text = await exportOf(log);
  await log.close();
  return { thread: id, text };
}

async function exportOf(log: ReturnType<typeof openMemoryLog>): Promise<string> {
  let text = '';
  for await (const part of exportLog(log, { created: '2026-01-01T00:00:00.000Z' })) text += part;
  return text;
}
