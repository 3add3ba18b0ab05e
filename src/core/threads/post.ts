import type { Context, Decision } from '../decider.ts';
import type { Json, NewEvent } from '../event.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { mayControl, silencedBy } from './authority.ts';
import type { Post } from './commands.ts';
import type { Control, ControlName } from './schema.ts';
import type { Task, ThreadState } from './state.ts';

export function decidePost(state: ThreadState, post: Post, context: Context): Decision {
  switch (post.type) {
    case 'message':
      return silencedBy(state, context) ?? [eventOf(state, post)];
    case 'task':
      return silencedBy(state, context) ?? unaddressed(state, post) ?? [eventOf(state, post)];
    case 'result':
      return silencedBy(state, context) ?? notTheirs(state, post, context) ?? [eventOf(state, post)];
    case 'presence':
      return state.presenceLog ? [eventOf(state, post)] : [];
    case 'control':
      return control(state, post, context);
  }
}

function control(state: ThreadState, post: Extract<Post, { type: 'control' }>, context: Context): Decision {
  const wish = post.content;
  const forbidden = mayControl(state, nameOf(wish), uninvited(wish), context);
  if (forbidden) return forbidden;
  const posted = eventOf(state, post);
  // The control records who asked; `thread.renamed` is the fact the index is derived from (T10).
  if ('rename' in wish)
    return [posted, { thread: state.id, type: 'thread.renamed', content: { title: wish.rename.title } }];
  return [posted];
}

function unaddressed(state: ThreadState, post: Extract<Post, { type: 'task' }>): Refusal | undefined {
  const role = typeof post.content === 'object' ? post.content.role : undefined;
  if (role || (post.to && post.to !== 'all')) return undefined;
  return refuse('malformed', 'A task is for someone: set "to" to a participant, or "content.role" to a role.', {
    thread: state.id,
  });
}

function notTheirs(
  state: ThreadState,
  post: Extract<Post, { type: 'result' }>,
  { actor }: Context,
): Refusal | undefined {
  const about = { thread: state.id, participant: actor.id };
  const id = post.meta?.reply_to;
  if (!id)
    return refuse('malformed', 'A result names its task: set "meta.reply_to" to the id of the task event.', about);
  const task = state.openTasks[id];
  if (!task)
    return refuse(
      'task_not_open',
      `${id} is not an open task of this thread: it is finished, or it never was one.`,
      about,
    );
  if (actor.kind === 'human' || worksOn(state, task, actor.id)) return undefined;
  const status = typeof post.content === 'string' ? 'done' : post.content.status;
  if (status === 'cancelled' && task.author === actor.id) return undefined;
  return refuse('forbidden', `The task ${id} is ${forWhom(task)}; ${actor.id} cannot answer it.`, about);
}

function worksOn(state: ThreadState, task: Task, id: string): boolean {
  if (task.claimedBy) return task.claimedBy === id;
  if (task.to.includes(id)) return true;
  return task.role !== undefined && (state.participants[id]?.profile.roles?.includes(task.role) ?? false);
}

function forWhom(task: Task): string {
  if (task.claimedBy) return `claimed by ${task.claimedBy}`;
  return task.to.length > 0 ? `for ${task.to.join(', ')}` : `for the role "${task.role}"`;
}

function nameOf(control: Control): ControlName {
  return Object.keys(control)[0] as ControlName;
}

function uninvited(control: Control): string | undefined {
  return 'uninvite' in control ? control.uninvite.participant_id : undefined;
}

function eventOf(state: ThreadState, { type, to, content, meta }: Post): NewEvent {
  return {
    thread: state.id,
    type,
    ...(to && { to }),
    content: content as unknown as Json,
    ...(meta && { meta: meta as NonNullable<NewEvent['meta']> }),
  };
}
