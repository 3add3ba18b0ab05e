import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import { withArticle } from '../../core/text/article.ts';
import type { ThreadState } from '../../core/threads/state.ts';
import { modeState } from '../../core/workspace.ts';
import type { Engine } from '../../engine/engine.ts';
import { cursorOf } from '../../protocol/cursor.ts';
import type { RouteKey } from '../../protocol/routes.ts';
import type { RouteCall, RouteHandler } from '../http/edge.ts';
import { loadThread } from './context.ts';

type ViewResult = object | string | Refusal;
type ViewedMode = Parameters<typeof modeState>[0];

/**
 * Handlers of routes about one thread, which is loaded first. An object is sent with the cursor of the thread's newest
 * event, so that a client can read on from there; a string is sent as it is.
 */
export function createViews<Loaded extends { readonly seq: number }>(
  load: (thread: string) => Promise<Loaded | Refusal>,
) {
  return <Key extends RouteKey>(
    view: (loaded: Loaded, call: RouteCall<Key>) => ViewResult | Promise<ViewResult>,
  ): RouteHandler<Key> => {
    return async (call) => {
      const loaded = await load((call.params as { thread: string }).thread);
      const result = isRefusal(loaded) ? loaded : await view(loaded, call);
      if (isRefusal(loaded) || isRefusal(result) || typeof result === 'string') return result as Refusal | string;
      return JSON.stringify({ ...result, head: cursorOf('thread', loaded.seq) });
    };
  };
}

/** Loads the state of a thread's mode; refuses a thread of another kind, and `requirement` says what it lacks. */
export async function loadMode<Kind extends ViewedMode>(
  engine: Engine,
  thread: string,
  kind: Kind,
  requirement: string,
) {
  const loaded = await loadThread(engine, thread);
  if (isRefusal(loaded)) return loaded;
  const state = modeState(kind, loaded.state);
  const { title } = loaded.state.thread;
  return state ? { state, title, seq: loaded.seq } : wrongKind(loaded.state.thread, requirement);
}

export function wrongKind({ id, kind, title }: ThreadState, requirement: string): Refusal {
  return refuse('wrong_kind', `"${title}" is ${withArticle(kind)}; ${requirement}.`, { thread: id });
}
