import { type ControlName, controlShapes } from '../../src/core/threads/schema.ts';
import type { RouteKey } from '../../src/protocol/routes.ts';

const message = { type: 'message', content: 'Hello' };
/** A body each route accepts. */
export const sampleBodies: Partial<Record<RouteKey, object>> = {
  'POST /api/threads': { title: 'Made' },
  'POST /api/threads/:thread/events': message,
  'POST /api/threads/:thread/events/:event/versions': { text: 'Hello again' },
  'POST /api/threads/:thread/delivery': message,
  'POST /api/threads/:thread/presence': { state: 'typing' },
  'POST /api/threads/:thread/commands/side_open': { question: 'How?', members: ['alpha'] },
  'POST /api/threads/:thread/commands/side_close': { summary: 'The first.' },
  'POST /api/threads/:thread/commands/archive': { on: true },
  'POST /api/threads/:thread/commands/tag': { add: ['garden'] },
  'POST /api/threads/:thread/commands/fork': {},
  'POST /api/profile': { name: 'Ana B.' },
  'POST /api/personas': { name: 'Iris' },
  'POST /api/personas/:persona': { set: { name: 'Iris' } },
  'POST /api/pins': { thread: 'nowhere', on: false },
  'POST /api/credentials': { participant: 'gamma' },
  'POST /api/signin-links': {},
  'POST /api/rebuild': {},
  'POST /api/sample': {},
  'POST /api/models/:model/test': { n: 1, max_tokens: 1 },
  'POST /api/models': { name: 'other', entry: { provider: 'embedded' } },
  'POST /api/defaults': { loom: 'small' },
  'POST /api/budgets/workspace': {},
};

/** What an address needs behind its question mark. */
export const sampleQueries: Partial<Record<RouteKey, string>> = {
  'GET /signin': 'code=wrong',
  'POST /signin': 'code=wrong',
  'GET /api/explain': 'link=/threads/nowhere',
  'GET /api/bring': 'from=/threads/nowhere&to=nowhere',
  'GET /api/search': 'q=once',
  'GET /api/snippets': 'threads=nowhere',
  'GET /api/threads/:thread/provenance': 'turn=1',
  'GET /api/threads/:thread/found': 'words=once',
  'GET /api/threads/:thread/nodes': 'like=abcdef',
  'GET /api/threads/:thread/export': 'format=text',
};

/** Controls that any participant may send, in some form at least (T6). */
const ANYONE: readonly ControlName[] = ['invite', 'prod', 'profile'];
const contents: Record<ControlName, unknown> = {
  mute: { targets: ['human'], mode: 'hard' },
  unmute: { targets: ['alpha'] },
  pause: { on: true },
  prod: ['alpha'],
  done: true,
  ttl_seconds: 60,
  discussion: { on: true },
  invited_auto: { on: true },
  invite: { participant_id: 'alpha', profile: {} },
  uninvite: { participant_id: 'human' },
  profile: {},
  policy: { mode: 'large' },
  continue: true,
  resume: true,
  presence_log: { on: true },
  budget: { tokens: 1 },
  rename: { title: 'Mine' },
};
/** One of each control that needs a human (T6). */
export const humanControls = (Object.keys(controlShapes) as ControlName[])
  .filter((name) => !ANYONE.includes(name))
  .map((name) => ({ [name]: contents[name] }));
