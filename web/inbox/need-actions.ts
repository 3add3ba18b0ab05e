import { HeddleRefusal, type ThreadRow } from '../../src/client/index.ts';
import { client } from '../data/session.ts';
import type { InboxNeed } from './needs.ts';

/** An action of a card that needs no more than a press. */
export interface CardAction {
  readonly label: string;
  readonly shortcut: string;
  /** The sentence shown once it is done. */
  readonly done: string;
  run(): Promise<unknown>;
}

/** What can be done about a need at once; the first is the one it asks for. */
export function cardActions({ row, action }: InboxNeed): readonly CardAction[] {
  if (!row) return [];
  const remote = client.thread(row.id);
  switch (action.kind) {
    case 'accept': {
      const { turn, draft } = action;
      const run = () => remote.command('accept', { turn, draft });
      return [{ label: `Accept draft ${draft}`, shortcut: 'a', done: `Accepted draft ${draft}.`, run }];
    }
    case 'post': {
      const { index } = action;
      return [
        { label: 'Post', shortcut: 'p', done: 'Posted.', run: () => remote.command('draft_accept', { index }) },
        { label: 'Dismiss', shortcut: 'd', done: 'Dismissed.', run: () => remote.command('draft_discard', { index }) },
      ];
    }
    case 'answer':
      return [
        { label: 'Continue without an answer', shortcut: 'g', done: 'The rounds continue.', run: () => goOn(row) },
      ];
    case 'resume':
      return [
        { label: 'Resume', shortcut: 'g', done: 'Resumed.', run: () => remote.command('resume_run', {}) },
        { label: 'Stop', shortcut: 's', done: 'Stopped.', run: () => remote.command('stop_run', {}) },
      ];
    case 'run':
      return [{ label: 'Run', shortcut: 'g', done: 'The mind is thinking.', run: () => remote.command('run', {}) }];
    case 'continue': {
      const run = () => remote.post({ type: 'control', content: { continue: true } });
      return [{ label: 'Let them continue', shortcut: 'g', done: 'The agents continue.', run }];
    }
    default:
      return [];
  }
}

/** Rounds that wait for an answer are held, or have ended. */
async function goOn({ id }: ThreadRow): Promise<void> {
  const { command } = client.thread(id);
  try {
    await command('resume_run', {});
  } catch (error) {
    if (!(error instanceof HeddleRefusal)) throw error;
    await command('run', {});
  }
}

/** Stops what models do in a thread. */
export async function stopWork({ id, kind }: ThreadRow): Promise<void> {
  const remote = client.thread(id);
  if (kind === 'dialogue' || kind === 'exchange') await remote.command('stop_run', {});
  if (kind === 'loom') await remote.command('stop', {});
  const { state } = await remote.state();
  const waiting = new Set(state.wakes.map(({ participant }) => participant));
  await Promise.all([...waiting].map((participant) => remote.command('stop_answer', { participant })));
}
