import { afterEach, expect, test } from 'vitest';
import type { Domain } from '../core/decider.ts';
import type { Actor, Json } from '../core/events/event.ts';
import { isRefusal } from '../core/refusal.ts';
import { type EventLog, eventOf } from '../log/event-log.ts';
import { openMemoryLog } from '../log/memory/memory-log.ts';
import { sha256 } from '../log/seal.ts';
import { createHandler } from './handle.ts';
import { createJobs, type PerformJob } from './jobs.ts';
import { createSecrets } from './secrets.ts';
import { createStates } from './states.ts';
import { createTail } from './tail.ts';

interface JobsTestState {
  readonly open: readonly string[];
}
type JobsTestCommand = { readonly name: 'ask' | 'answer' | 'call_off'; readonly wish: string };

const person: Actor = { id: 'ana', kind: 'human' };
const worker: Actor = { id: 'system', kind: 'automation' };
const THREAD = 't1';

/** The smallest thing that asks for work: wishes that are open until answered or called off. */
const domain: Domain<JobsTestState, JobsTestCommand> = {
  version: 1,
  initial: () => ({ open: [] }),
  decide(world, { name, wish }) {
    world.thread(THREAD);
    return [{ thread: THREAD, type: `wish.${name}`, content: wish }];
  },
  evolve({ open }, { type, content }) {
    const others = open.filter((wish) => wish !== content);
    return { open: type === 'wish.ask' ? [...others, content as string] : others };
  },
  reactsTo: new Set(),
  canReact: () => false,
  react: () => [],
  jobTriggers: new Set(['wish.ask', 'wish.answer', 'wish.call_off']),
  jobs: ({ open }) => open.map((wish) => ({ key: wish, kind: 'wish', input: wish })),
  summary: ({ open }) => ({ ...(open.length > 0 && { working: true }) }),
};

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function server(log: EventLog, perform: PerformJob<JobsTestState, JobsTestCommand>, holder = 'here') {
  let ids = 0;
  const clock = {
    now: () => '2026-01-01T00:00:00.000Z',
    newId: () => `${holder}-${ids++}`,
    hash: sha256,
    random: () => 0,
    credentialKind: () => undefined,
  };
  const states = createStates(log, domain);
  const tail = createTail(log, states.observe);
  const { handle } = createHandler({
    log,
    domain: domain,
    states,
    secrets: createSecrets(),
    clock,
    onCommit: tail.publishCommit,
  });
  const results: Json[] = [];
  const reported: unknown[] = [];
  const jobs = createJobs({
    log,
    domain: domain,
    states,
    tail,
    holder,
    performers: { wish: perform },
    accepts: ({ key }) => key !== 'the moon',
    setPresence: async () => {},
    handle,
    sendLive: ({ content }) => results.push(content as Json),
    report: (error) => reported.push(error),
  });
  await tail.start();
  closing.push(jobs.close);
  const say = (name: JobsTestCommand['name'], wish: string) =>
    handle({ actor: person, command: { name, wish }, id: `${name} ${wish}` });
  return { jobs, tail, states, say, told: results, reported };
}

/** Looks again whenever something was appended. */
async function until({ tail }: { tail: ReturnType<typeof createTail> }, holds: () => Promise<boolean>) {
  for (;;) {
    const changed = tail.waitForChange(undefined, 60_000);
    if (await holds()) return;
    await changed;
  }
}

async function types(log: EventLog): Promise<readonly string[]> {
  return (await log.readThread(THREAD, 0, 100)).map((row) => `${eventOf(row).type} ${eventOf(row).content}`);
}

const answer: PerformJob<JobsTestState, JobsTestCommand> = async ({ input }, work) => {
  work.sendLive({ type: 'wish.delta', content: input });
  await work.handle(worker, { name: 'answer', wish: input as string }, `answer ${input}`);
};

test('[L19] a requested job runs once and streams its progress', async () => {
  const log = openMemoryLog();
  const first = await server(log, answer);
  await first.jobs.start();
  await first.say('ask', 'tea');
  await until(first, async () => (await types(log)).length === 2);
  expect(await types(log)).toEqual(['wish.ask tea', 'wish.answer tea']);
  expect(first.told).toEqual(['tea']);
});

test('[L19] unfinished jobs continue at the next start', async () => {
  const log = openMemoryLog();
  const before = await server(log, answer, 'before');
  await before.say('ask', 'tea');
  const after = await server(log, answer, 'after');
  await after.jobs.start();
  await until(after, async () => (await types(log)).length === 2);
  expect(await types(log)).toEqual(['wish.ask tea', 'wish.answer tea']);
});

test('[L19] jobs requested on another server are picked up, even with an outdated state in memory', async () => {
  const log = openMemoryLog();
  const other = await server(log, answer, 'there');
  await other.say('call_off', 'coffee');
  const first = await server(log, answer);
  await first.states.load(THREAD);
  await other.say('ask', 'tea');
  await first.jobs.start();
  await until(first, async () => (await types(log)).length === 3);
  expect(await types(log)).toEqual(['wish.call_off coffee', 'wish.ask tea', 'wish.answer tea']);
});

test('[L19] cancelling a request stops its job', async () => {
  const log = openMemoryLog();
  const began = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<boolean>();
  const first = await server(log, async (_job, work) => {
    work.signal.addEventListener('abort', () => ended.resolve(work.isUnwanted()));
    began.resolve();
    await ended.promise;
  });
  await first.jobs.start();
  await first.say('ask', 'tea');
  await began.promise;
  await first.say('call_off', 'tea');
  expect(await ended.promise).toBe(true);
});

test('[L19] two servers on one log run a job once, and a result after a lost lease is refused', async () => {
  const log = openMemoryLog();
  const began = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const late = Promise.withResolvers<unknown>();
  const slow = await server(
    log,
    async (job, work) => {
      began.resolve();
      await goOn.promise;
      late.resolve(await work.handle(worker, { name: 'answer', wish: job.input as string }, 'late'));
    },
    'slow',
  );
  await slow.jobs.start();
  await slow.say('ask', 'tea');
  await began.promise;
  // As a server that stopped renewing: its lease ends and another holder has it.
  const held = await log.lease(`job/${THREAD}/tea`, 'slow', 1);
  if (held) await log.release(held);
  const quick = await server(log, answer, 'quick');
  await quick.jobs.start();
  await until(quick, async () => (await types(log)).length === 2);
  goOn.resolve();
  const refused = await late.promise;
  expect(isRefusal(refused) && refused.refusal.code).toBe('lease_lost');
  expect(await types(log)).toEqual(['wish.ask tea', 'wish.answer tea']);
});

test('[L19] a failed job is reported and retried', async () => {
  const log = openMemoryLog();
  let tries = 0;
  const first = await server(log, async (job, work) => {
    if (++tries === 1) throw new Error('the kettle is cold');
    await answer(job, work);
  });
  await first.jobs.start();
  await first.say('ask', 'tea');
  await until(first, async () => (await types(log)).length === 2);
  expect(tries).toBe(2);
  expect(first.reported).toEqual([new Error('the kettle is cold')]);
});

test('[L19] a job that this server cannot do is left to others', async () => {
  const log = openMemoryLog();
  const first = await server(log, answer);
  await first.jobs.start();
  await first.say('ask', 'the moon');
  await first.say('ask', 'tea');
  await until(first, async () => (await types(log)).length === 3);
  expect(await types(log)).toEqual(['wish.ask the moon', 'wish.ask tea', 'wish.answer tea']);
});
