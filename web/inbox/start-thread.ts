import type { NewThreadBody } from '../../src/protocol/wire.ts';
import { client } from '../data/session.ts';
import { addRow } from '../data/workspace.ts';
import { navigate, threadPath } from '../shell/address.ts';
import { whileCreatingRoom } from '../shell/letter-keys.ts';
import { kindName, type ThreadKind } from '../ui/kinds.ts';
import { formatClock, formatDay } from '../ui/time.tsx';
import { chooseModel } from './choose-model.ts';

/**
 * Creates a thread in one step and opens it. Without a title it gets one that contains the time, and an available model,
 * so that there is somebody who answers.
 */
export function startThread(
  kind: ThreadKind,
  title = '',
  options: Pick<NewThreadBody, 'setup'> = {},
): Promise<boolean> {
  return whileCreatingRoom(async () => {
    const { thread } = await client.threads.create({ title: title || titleByTime(kind), kind, ...options });
    if (kind === 'conversation' && title === '') await inviteModel(thread.id);
    addRow((await client.thread(thread.id).get()).thread);
    navigate(threadPath(thread));
    return true;
  });
}

function titleByTime(kind: ThreadKind): string {
  const now = new Date();
  return `New ${kindName(kind)}, ${formatDay(now)}, ${formatClock(now)}`;
}

async function inviteModel(thread: string): Promise<void> {
  const { models } = await client.models.list();
  const model = chooseModel(models);
  if (!model) return;
  const profile = { kind: 'agent', client: 'model', model: model.name } as const;
  const content = { invite: { participant_id: model.name, profile } };
  await client.thread(thread).post({ type: 'control', content });
}
