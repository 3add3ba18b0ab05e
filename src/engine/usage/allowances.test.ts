import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freshPostgres } from '../../../test/support/stores/postgres-url.ts';
import { type AgentLimits, DEFAULT_AGENT_LIMITS } from '../../core/agent-limits.ts';
import type { Actor } from '../../core/events/event.ts';
import { isRefusal } from '../../core/refusal.ts';
import type { Command } from '../../core/workspace.ts';
import type { EventLog } from '../../log/event-log.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';
import { openPostgresLog } from '../../log/postgres/postgres-log.ts';
import { openSqliteLog } from '../../log/sqlite/sqlite-log.ts';
import { createEngine, type Engine } from '../engine.ts';

const alpha: Actor = { id: 'alpha', kind: 'agent' };
const beta: Actor = { id: 'beta', kind: 'agent' };
const human: Actor = { id: 'ana', kind: 'human' };
const LIMITS: AgentLimits = { ...DEFAULT_AGENT_LIMITS, threadsPerHour: 3, invitationsPerHour: 4 };
const MINUTE = 60_000;

let time = 0;
let directory = '';
beforeEach(() => {
  time = Date.parse('2026-01-01T10:00:30.000Z');
  directory = mkdtempSync(join(tmpdir(), 'heddle-allowances-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const open = (log: EventLog, limits: () => AgentLimits = () => LIMITS) =>
  createEngine({ log, now: () => time, agentLimits: limits });

const createCommand = (invite: readonly string[] = []): Command => ({
  name: 'create',
  input: {
    title: 'x',
    kind: 'conversation',
    invite: invite.map((participant_id) => ({ participant_id, profile: {} })),
  },
});

/** The id of what was created, or the refusal. */
async function createThread(engine: Engine, actor: Actor, command = createCommand(), id?: string) {
  const handled = await engine.handle(actor, command, id);
  return isRefusal(handled) ? handled.refusal : (handled.events[0]?.thread as string);
}

async function inviteParticipant(engine: Engine, actor: Actor, thread: string, name: string) {
  const content = { invite: { participant_id: name, profile: {} } };
  const handled = await engine.handle(actor, { name: 'post', input: { thread, type: 'control', content } });
  return isRefusal(handled) ? handled.refusal : 'invited';
}

describe('hourly limits of an agent', () => {
  test('[T23] threads, forks and side channels count together, and the refusal says when the agent can continue', async () => {
    const engine = await open(openMemoryLog());
    const thread = (await createThread(engine, alpha)) as string;
    time += MINUTE;
    expect(await createThread(engine, alpha, { name: 'fork', input: { thread } })).toEqual(expect.any(String));
    const side: Command = { name: 'side_open', input: { thread, question: 'which?', members: ['beta'] } };
    expect(await createThread(engine, alpha, side)).toEqual(expect.any(String));
    const refused = await createThread(engine, alpha);
    expect(refused).toMatchObject({ code: 'limit_reached', participant: 'alpha', retry_after: 59 * 60 });
    expect(await createThread(engine, alpha, { name: 'fork', input: { thread } })).toMatchObject({
      code: 'limit_reached',
    });
    time += 59 * MINUTE - 1;
    expect(await createThread(engine, alpha)).toMatchObject({ code: 'limit_reached', retry_after: 1 });
    time += 1;
    expect(await createThread(engine, alpha)).toEqual(expect.any(String));
    expect(await createThread(engine, alpha)).toMatchObject({ code: 'limit_reached' });
    await engine.close();
  });

  test('[T23] invitations count wherever they are sent: in a control, with a new thread or into a side channel', async () => {
    const engine = await open(openMemoryLog());
    const thread = (await createThread(engine, alpha, createCommand(['a', 'b']))) as string;
    const side: Command = { name: 'side_open', input: { thread, question: 'which?', members: ['a'] } };
    await createThread(engine, alpha, side);
    expect(await inviteParticipant(engine, alpha, thread, 'c')).toBe('invited');
    expect(await inviteParticipant(engine, alpha, thread, 'd')).toMatchObject({
      code: 'limit_reached',
      retry_after: 3600,
    });
    expect(await createThread(engine, alpha, createCommand(['e']))).toMatchObject({ code: 'limit_reached' });
    // Waiting would not help here.
    const far = await createThread(engine, beta, createCommand(['a', 'b', 'c', 'd', 'e']));
    expect(far).toMatchObject({ code: 'limit_reached' });
    expect(far).not.toHaveProperty('retry_after');
    await engine.close();
  });

  test('[T23] a human has no limit, and one agent does not use up another’s', async () => {
    const engine = await open(openMemoryLog());
    for (let i = 0; i < 10; i++) expect(await createThread(engine, human)).toEqual(expect.any(String));
    for (let i = 0; i < 3; i++) await createThread(engine, alpha);
    expect(await createThread(engine, alpha)).toMatchObject({ code: 'limit_reached' });
    expect(await createThread(engine, beta)).toEqual(expect.any(String));
    await engine.close();
  });

  test('[T23] concurrent requests get through exactly as often as sequential ones', async () => {
    const log = openMemoryLog();
    const engine = await open(log);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => createThread(engine, alpha)));
    expect(outcomes.filter((outcome) => typeof outcome === 'string')).toHaveLength(3);
    expect((await engine.index()).length).toBe(3);
    await engine.close();
  });

  test('[T23] only stored commands count: refusals are free, and a retry is answered at the limit', async () => {
    const engine = await open(openMemoryLog());
    for (let i = 0; i < 5; i++) {
      expect(await createThread(engine, alpha, { name: 'fork', input: { thread: 'nowhere' } })).toMatchObject({
        code: 'unknown_thread',
      });
    }
    const first = await createThread(engine, alpha, createCommand(), 'mine');
    expect(await createThread(engine, alpha, createCommand(), 'mine')).toBe(first);
    await createThread(engine, alpha);
    await createThread(engine, alpha);
    expect(await createThread(engine, alpha)).toMatchObject({ code: 'limit_reached' });
    expect(await createThread(engine, alpha, createCommand(), 'mine')).toBe(first);
    await engine.close();
  });

  test('[T23] new limits apply at once', async () => {
    let limits = LIMITS;
    const engine = await open(openMemoryLog(), () => limits);
    for (let i = 0; i < 3; i++) await createThread(engine, alpha);
    limits = { ...LIMITS, threadsPerHour: 4 };
    expect(await createThread(engine, alpha)).toEqual(expect.any(String));
    limits = { ...LIMITS, threadsPerHour: 0 };
    expect(await createThread(engine, beta)).toMatchObject({ code: 'limit_reached' });
    await engine.close();
  });

  test('[T23] [L26] entries from a clock that ran ahead hold nobody back once it is corrected', async () => {
    const engine = await open(openMemoryLog());
    time += 5 * 60 * MINUTE;
    for (let i = 0; i < 3; i++) await createThread(engine, alpha);
    time -= 5 * 60 * MINUTE;
    expect(await createThread(engine, alpha)).toEqual(expect.any(String));
    await engine.close();
  });
});

test('[T23] restarting the server does not reset an agent’s limits', async () => {
  const path = join(directory, 'log.db');
  for (const expected of [3, 0]) {
    const log = openSqliteLog(path);
    const engine = await open(log);
    const outcomes = [];
    for (let i = 0; i < 4; i++) outcomes.push(await createThread(engine, alpha));
    expect(outcomes.filter((outcome) => typeof outcome === 'string')).toHaveLength(expected);
    await engine.close();
    await log.close();
  }
});

test('[T23] servers on one database count together', async () => {
  const url = await freshPostgres();
  const logs = [await openPostgresLog(url), await openPostgresLog(url)] as const;
  const [one, other] = [await open(logs[0]), await open(logs[1])];
  expect(await createThread(one, alpha)).toEqual(expect.any(String));
  expect(await createThread(other, alpha)).toEqual(expect.any(String));
  expect(await createThread(one, alpha)).toEqual(expect.any(String));
  expect(await createThread(other, alpha)).toMatchObject({ code: 'limit_reached' });
  expect(await createThread(one, alpha)).toMatchObject({ code: 'limit_reached' });
  for (const engine of [one, other]) await engine.close();
  for (const log of logs) await log.close();
});
