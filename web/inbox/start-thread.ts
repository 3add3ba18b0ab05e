import { client } from '../data/session.ts';
import { addRow } from '../data/workspace.ts';
import { navigate, threadPath } from '../shell/address.ts';
import { whileCreatingRoom } from '../shell/letter-keys.ts';
import { kindName, type ThreadKind } from '../ui/kinds.ts';
import { formatClock, formatDay } from '../ui/time.tsx';
import { chooseModel } from './choose-model.ts';

/** Creates a thread in one step with default values: a title that contains the time, and an available model. */
export function startThread(kind: ThreadKind): Promise<void> {
  return whileCreatingRoom(() => createThread(kind));
}

async function createThread(kind: ThreadKind): Promise<void> {
  const now = new Date();
  const title = `New ${kindName(kind)}, ${formatDay(now)}, ${formatClock(now)}`;
  const { thread } = await client.threads.create({ title, kind });
  if (kind === 'conversation') await inviteModel(thread.id);
  addRow((await client.thread(thread.id).get()).thread);
  navigate(threadPath(thread));
}

/** Invites a model, so that the thread has somebody who answers. */
async function inviteModel(thread: string): Promise<void> {
  const { models } = await client.models.list();
  const model = chooseModel(models);
  if (!model) return;
  const profile = { kind: 'agent', client: 'model', model: model.name } as const;
  const content = { invite: { participant_id: model.name, profile } };
  await client.thread(thread).post({ type: 'control', content });
}
