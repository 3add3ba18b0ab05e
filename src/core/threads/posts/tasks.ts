import type { Context } from '../../decider.ts';
import type { ContentOf } from '../../events/define.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { getOwn } from '../../util/get-own.ts';
import type { Post } from '../commands.ts';
import type { TaskPosted } from '../events.ts';
import type { ResultContent } from '../schema.ts';
import type { Task, ThreadState } from '../state.ts';

/** A task must name a participant or a role (T9). */
export function checkTaskAddressee(state: ThreadState, post: Extract<Post, { type: 'task' }>): Refusal | undefined {
  const role = typeof post.content === 'object' ? post.content.role : undefined;
  if (role || (post.to && post.to !== 'all')) return undefined;
  return refuse('malformed', 'A task needs a recipient: set "to" to a participant, or "content.role" to a role.', {
    thread: state.id,
  });
}

/** Refuses a result from a participant that may not answer the named task. */
export function checkResult(
  state: ThreadState,
  post: Extract<Post, { type: 'result' }>,
  { actor }: Context,
): Refusal | undefined {
  const details = { thread: state.id, participant: actor.id };
  const id = post.meta?.reply_to;
  if (!id)
    return refuse(
      'malformed',
      'A result must name its task: set "meta.reply_to" to the ID of the task event.',
      details,
    );
  const task = getOwn(state.openTasks, id);
  if (!task) return refuse('task_not_open', `${id} is not an open task of this thread.`, details);
  if (actor.kind === 'human' || canAnswerTask(state, task, actor.id)) return undefined;
  if (resultStatusOf(post.content) === 'cancelled' && task.author === actor.id) return undefined;
  return refuse('forbidden', `The task ${id} is ${assigneeLabel(task)}; ${actor.id} cannot answer it.`, details);
}

/** Whether this participant may answer the task. */
export function canAnswerTask(state: ThreadState, task: Task, id: string): boolean {
  if (task.claimedBy) return task.claimedBy === id;
  if (task.to.includes(id)) return true;
  return task.role !== undefined && (getOwn(state.participants, id)?.profile.roles?.includes(task.role) ?? false);
}

function assigneeLabel(task: Task): string {
  if (task.claimedBy) return `claimed by ${task.claimedBy}`;
  return task.to.length > 0 ? `for ${task.to.join(', ')}` : `for the role "${task.role}"`;
}

/** A plain text, or an object that names no status, means done (T9, T26). */
export function resultStatusOf(content: ResultContent): 'claimed' | 'done' | 'failed' | 'cancelled' {
  return (typeof content === 'object' ? content.status : undefined) ?? 'done';
}

/** The role that a task is for, if it names one. */
export function roleOfTask(content: ContentOf<typeof TaskPosted>): string | undefined {
  return typeof content === 'object' ? content.role : undefined;
}

/** The text of a result, followed by its data (T26). */
export function resultTextOf(content: ResultContent): string {
  if (typeof content === 'string') return content;
  const { text, data } = content;
  const json = data === undefined ? undefined : JSON.stringify(data, null, 2);
  return [text, json].filter((part) => part !== undefined && part !== '').join('\n');
}

/** An agent that cannot do its task starts its answer with this word, followed by the reason. */
const FAILED_PREFIX = /^\**FAILED\**\s*:\**\s*/;

/** Turns an agent's answer to a task into the content of a result (T26). */
export function parseResult(text: string): ResultContent {
  const prefix = FAILED_PREFIX.exec(text)?.[0];
  return prefix === undefined ? text : { status: 'failed', text: text.slice(prefix.length) };
}
