import { describe, expect, test } from 'vitest';
import { alpha, beta, controls, given, human, says } from '../../test/support/domain/given.ts';
import { endpoints } from '../protocol/routes.ts';
import type { Context } from './decider.ts';
import type { Actor, Event } from './events/event.ts';
import { modes } from './modes.ts';
import { checkCanSend } from './threads/access/authority.ts';
import { commandInputs, postInputs } from './threads/commands.ts';
import { controlShapes } from './threads/schema.ts';
import type { ThreadState } from './threads/state.ts';
import type { Command } from './workspace.ts';

/**
 * Who may send a command: `anyone` who is not silenced; `always`, silenced or not; `concerned`, as anyone but no
 * outsider; a `human`; the `workspace` itself, for which there is no address.
 */
type Who = 'anyone' | 'always' | 'concerned' | 'human' | 'workspace';
type Row = readonly [who: Who, input?: object];

const FROM_T1 = { thread: 't1', link: '/threads/t1#e1', what: 'message', event: 'e1', hash: 'h' } as const;

const COMMANDS: Record<string, Row> = {
  create: ['always', { title: 'New' }],
  'create from a text': ['anyone', { title: 'New', kind: 'loom', origin: FROM_T1 }],
  bring: ['anyone', { thread: 't1', as: 'message', text: 'words', origin: FROM_T1 }],
  'bring elsewhere': ['anyone', { thread: '{elsewhere}', as: 'message', text: 'words', origin: FROM_T1 }],
  side_open: ['anyone', { thread: 't1', question: 'Which?', members: ['beta'] }],
  side_close: ['concerned', { thread: '{side}', summary: 'This one.' }],
  edit: ['anyone', { thread: 't1', event: 'e1', author: '{actor}', text: 'words' }],
  archive: ['human', { thread: 't1' }],
  tag: ['human', { thread: 't1', add: ['garden'] }],
  fork: ['anyone', { thread: 't1' }],
  draft: ['anyone', { thread: 't1', text: 'words' }],
  draft_accept: ['human', { thread: 't1', index: 1 }],
  draft_discard: ['human', { thread: 't1', index: 1 }],
  stop_answer: ['human', { thread: 't1', participant: 'beta' }],
  wake_waits: ['workspace'],
  answer: ['workspace'],
  notice: ['workspace'],
};
const POSTS: Record<string, Row> = {
  message: ['anyone', { content: 'words' }],
  task: ['anyone', { content: 'do it', to: 'beta' }],
  result: ['concerned', { content: 'done', meta: { reply_to: '{task}' } }],
  presence: ['always', { content: { transition: 'thinking.start' } }],
};
const CONTROLS: Record<string, Row> = {
  invite: ['anyone', { participant_id: 'gamma' }],
  prod: ['anyone', ['beta']],
  profile: ['anyone', { nickname: 'Somebody' }],
  'uninvite oneself': ['always'],
  uninvite: ['human', { participant_id: 'beta' }],
  rename: ['human', { title: 'Other' }],
  mute: ['human', { targets: ['beta'] }],
  unmute: ['human', { targets: ['beta'] }],
  pause: ['human', { on: false }],
  done: ['human', true as never],
  ttl_seconds: ['human', 5 as never],
  discussion: ['human', { on: true }],
  invited_auto: ['human', { on: true }],
  policy: ['human', { mode: 'small' }],
  continue: ['human', true as never],
  resume: ['human', true as never],
  presence_log: ['human', { on: true }],
  budget: ['human', { tokens: 5 }],
};
const DIALOGUE: Record<string, Row> = {
  message: ['human', { text: 'words' }],
  accept: ['human', {}],
  steer: ['human', { text: 'words' }],
  withdraw: ['human', {}],
  seen: ['human', {}],
  engagement: ['human', { engagement: 'engaged' }],
  run: ['human', {}],
  step: ['human', {}],
  pause_run: ['human', {}],
  resume_run: ['human', {}],
  stop_run: ['human', {}],
  reopen: ['human', { turn: 1, draft: 1 }],
  history_prune: ['human', { turn: 0 }],
  configure: ['human', { set: { self: 'beta' } }],
  report_iteration: ['workspace'],
  report_wait: ['workspace'],
  report_clusters: ['workspace'],
};
const EXCHANGE: Record<string, Row> = {
  run: ['human', {}],
  pause_run: ['human', {}],
  resume_run: ['human', {}],
  stop_run: ['human', {}],
  audit_now: ['human', {}],
  skip_audit: ['human', { reason: 'why' }],
  inject: ['human', { text: 'words' }],
  observe: ['human', { text: 'words' }],
  decide: ['human', { decision: 'acknowledge', reason: 'why' }],
  amend: ['human', { set: { audit_every: 3 } }],
  branch: ['human', {}],
  rollback: ['human', { round: 0 }],
  halt: ['human', { reason: 'why' }],
  veto: ['human', { thought: 1, reason: 'why' }],
  unveto: ['human', { thought: 1 }],
  report_thoughts: ['workspace'],
  report_audit: ['workspace'],
  settle_round: ['workspace'],
  branch_by_policy: ['workspace'],
  report_wait: ['workspace'],
};
const NODE = 'n';
const LOOM: Record<string, Row> = {
  commit: ['anyone', { text: 'words' }],
  generate: ['anyone', {}],
  stop: ['anyone', {}],
  switch: ['anyone', { node: NODE }],
  mark: ['anyone', { node: NODE, rating: 1 }],
  prefer: ['anyone', { node: NODE, child: NODE }],
  undo: ['anyone', {}],
  redo: ['anyone', {}],
  split: ['anyone', { node: NODE, at: 1 }],
  merge: ['anyone', { node: NODE }],
  cherry_pick: ['anyone', { node: NODE, source: NODE, start: 0, end: 1 }],
  explore: ['anyone', {}],
  turn_exploration: ['anyone', { exploration: 'x', to: 'paused' }],
  import_tree: ['anyone', { nodes: [] }],
  configure: ['anyone', { temperature: 1 }],
  report_wait: ['workspace'],
  report_generation: ['workspace'],
  report_failure: ['workspace'],
};

/** The names that have a row; what is behind a blank says in which case. */
const rowsOf = (table: Record<string, Row>) => [...new Set(Object.keys(table).map((name) => name.split(' ')[0]))];
const withoutPost = Object.keys(commandInputs).filter((name) => name !== 'post');

test('[T28] every command of every kind of thread says who may send it', () => {
  expect(rowsOf(COMMANDS).sort()).toEqual(withoutPost.sort());
  expect(rowsOf(POSTS).sort()).toEqual(Object.keys(postInputs).filter((type) => type !== 'control').sort()); // biome-ignore format: one comparison a line
  expect(rowsOf(CONTROLS).sort()).toEqual(Object.keys(controlShapes).sort());
  const tables: Record<keyof typeof modes, Record<string, Row>> = {
    dialogue: DIALOGUE,
    exchange: EXCHANGE,
    loom: LOOM,
  };
  for (const [kind, { commands }] of Object.entries(modes)) {
    expect(rowsOf(tables[kind as keyof typeof modes]).sort()).toEqual(Object.keys(commands).sort());
  }
});

test('[T28] commands that only the workspace sends cannot be sent by HTTP', () => {
  const all = Object.entries({ ...COMMANDS, ...DIALOGUE, ...EXCHANGE, ...LOOM });
  const internal = all.filter(([, [who]]) => who === 'workspace').map(([name]) => name);
  const offered = endpoints.map(({ path }) => path.split('/').at(-1));
  expect(internal.filter((name) => offered.includes(name))).toEqual([]);
});

const outsider: Actor = { id: 'omega', kind: 'agent' };
const SILENCED = ['participant_muted', 'thread_paused'];
const REFUSED = [...SILENCED, 'forbidden'];

/** An agent in a thread of a kind, with a side channel that it opened, a task for it and a thread elsewhere. */
function world(kind: string, ...silencing: readonly object[]) {
  const world = given([
    human,
    'create',
    { title: 'Plans', kind, invite: [alpha, beta].map(({ id }) => ({ participant_id: id })) },
  ]);
  world.when(...controls(human, { presence_log: { on: true } }));
  world.when(...says(human, 'Begin.'));
  const [task] = world.when(human, 'post', { thread: 't1', type: 'task', content: 'x', to: 'alpha' }) as Event[];
  const side = world.when(alpha, 'side_open', { thread: 't1', question: 'Which?', members: ['beta'] }) as Event[];
  const elsewhere = world.when(human, 'create', { title: 'Elsewhere' }) as Event[];
  for (const control of silencing) world.when(...controls(human, control));
  const names = { '{task}': task?.id, '{side}': side[0]?.thread, '{elsewhere}': elsewhere[0]?.thread } as Record<
    string,
    string
  >;
  const withNames = (input: object) =>
    JSON.parse(JSON.stringify(input), (_, value) => (typeof value === 'string' ? (names[value] ?? value) : value));
  return {
    send: (actor: Actor, name: string, input: object) => {
      names['{actor}'] = actor.id;
      return world.when(actor, name as Command['name'], withNames(input));
    },
  };
}

const SITUATIONS = {
  'an agent': { actor: alpha, silencing: [] },
  'an outsider': { actor: outsider, silencing: [] },
  'a muted agent': { actor: alpha, silencing: [{ mute: { targets: ['alpha'] } }] },
  'an agent in a paused thread': { actor: alpha, silencing: [{ pause: { on: true } }] },
} as const;

function isAllowed(who: Who, situation: keyof typeof SITUATIONS): boolean {
  if (who === 'human') return false;
  if (who === 'always') return true;
  return situation === 'an agent' || (who === 'anyone' && situation === 'an outsider');
}

describe.each(Object.keys(SITUATIONS) as (keyof typeof SITUATIONS)[])('%s', (situation) => {
  const { actor, silencing } = SITUATIONS[situation];

  function check(kind: string, name: string, row: Row, command: string, input: object) {
    const outcome = world(kind, ...silencing).send(actor, command, input);
    const code = 'code' in outcome ? outcome.code : 'done';
    const expected = isAllowed(row[0], situation) ? expect(REFUSED).not : expect(REFUSED);
    expected.toContain(code);
    if (row[0] === 'anyone' && silencing.length > 0) expect(SILENCED, `${kind}: ${name}`).toContain(code);
  }

  const sendable = (table: Record<string, Row>) => Object.entries(table).filter(([, [who]]) => who !== 'workspace');

  test.each(sendable(COMMANDS))('[T28] %s is allowed to exactly those who may send it', (name, row) => {
    check('conversation', name, row, name.split(' ')[0] as string, row[1] as object);
  });
  test.each(sendable(POSTS))('[T28] posting a %s is allowed to exactly those who may post it', (name, row) => {
    check('conversation', name, row, 'post', { thread: 't1', type: name, ...row[1] });
  });
  test.each(sendable(CONTROLS))('[T28] the control "%s" is allowed to exactly those who may send it', (name, row) => {
    const control = name === 'uninvite oneself' ? { uninvite: { participant_id: actor.id } } : { [name]: row[1] };
    check('conversation', name, row, 'post', { thread: 't1', type: 'control', content: control });
  });
  test.each(sendable(DIALOGUE))('[T28] "%s" in a dialogue is allowed to exactly those who may send it', (name, row) => {
    check('dialogue', name, row, name, row[1] as object);
  });
  test.each(sendable(EXCHANGE))(
    '[T28] "%s" in an exchange is allowed to exactly those who may send it',
    (name, row) => {
      check('exchange', name, row, name, row[1] as object);
    },
  );
  test.each(sendable(LOOM))('[T28] "%s" in a loom is allowed to exactly those who may send it', (name, row) => {
    check('loom', name, row, name, row[1] as object);
  });
});

test('[T28] only a human may choose the settings of a new dialogue or exchange', () => {
  const settings = { dialogue: { self: 'beta' }, exchange: { audit_every: 2 } };
  for (const [kind, setup] of Object.entries(settings)) {
    expect(given().when(alpha, 'create', { title: 'New', kind, setup })).toMatchObject({ code: 'forbidden' });
    expect(given().when(alpha, 'create', { title: 'New', kind })).toMatchObject([{ type: 'thread.created' }, ...(kind === 'exchange' ? [{ type: 'terms.set' }] : [])]); // biome-ignore format: one comparison a line
    expect(given().when(human, 'create', { title: 'New', kind, setup })).not.toHaveProperty('code');
  }
});

test('[T28] an agent muted in the parent thread can no longer close its side channel', () => {
  const { send } = world('conversation', { mute: { targets: ['alpha'] } });
  expect(send(alpha, 'side_close', { thread: '{side}', summary: 'Mine.' })).toMatchObject({
    code: 'participant_muted',
  });
  expect(send(human, 'side_close', { thread: '{side}', summary: 'Ours.' })).toMatchObject([
    { type: 'side.closed' },
    {},
  ]);
});

test('[T28] a mute or pause in a thread also holds in its side channels', () => {
  const worlds = [{ mute: { targets: ['alpha'], mode: 'hard' } }, { pause: { on: true } }].map((control) => {
    const world = given([human, 'create', { title: 'Plans' }]);
    const opened = world.when(alpha, 'side_open', { thread: 't1', question: 'Which?', members: ['beta'] }) as Event[];
    const side = (opened[0] as Event).thread;
    const nested = (
      world.when(alpha, 'side_open', { thread: side, question: 'And?', members: ['beta'] }) as Event[]
    )[0];
    world.when(...controls(human, control));
    return { world, threads: [side, (nested as Event).thread] };
  });
  for (const { world, threads } of worlds) {
    for (const thread of threads) {
      const outcome = world.when(alpha, 'post', { thread, type: 'message', content: 'still here', to: 'beta' });
      expect(outcome).toMatchObject({ code: expect.stringMatching(/^(participant_muted|thread_paused)$/) });
      expect(world.when(alpha, 'fork', { thread })).toHaveProperty('code');
    }
    const byHuman = world.when(human, 'post', { thread: threads[0], type: 'message', content: 'Go on.' });
    expect(byHuman).not.toHaveProperty('code');
  }
});

test('[T28] side channels that form a circle in a hostile log do not hang a decision', () => {
  const world = given([human, 'create', { title: 'Plans' }]);
  const opened = world.when(alpha, 'side_open', { thread: 't1', question: 'Which?', members: ['beta'] }) as Event[];
  const side = (opened[0] as Event).thread;
  const inside = world.state(side);
  const outside = { ...world.state('t1'), sideOf: { ...inside.sideOf, thread: side } } as ThreadState;
  const states = new Map([
    ['t1', outside],
    [side, inside],
  ]);
  const post = { name: 'post', input: { thread: side, type: 'message', content: 'x' } } as const;
  const around = { thread: (id: string) => states.get(id), seq: () => 3 };
  expect(checkCanSend(around, post, { actor: alpha } as Context)).toBeUndefined();
});
