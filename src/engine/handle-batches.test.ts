import { monotonicFactory } from 'ulid';
import { describe, expect, test } from 'vitest';
import { alpha, human } from '../../test/support/domain/given.ts';
import { create, eventsOf, newThread, refusalOf, say, setUpEngines } from '../../test/support/servers/engines.ts';
import { isRefusal } from '../core/refusal.ts';
import type { ConversationCommand } from '../core/threads/commands.ts';
import { threads } from '../core/threads/domain.ts';
import { eventOf, type StoredEvent } from '../log/event-log.ts';
import { linkHash } from '../log/seal.ts';
import { openSqliteLog } from '../log/sqlite/sqlite-log.ts';
import { type CommandResult, createHandler } from './handle.ts';
import { createSecrets } from './secrets.ts';
import { createStates } from './states.ts';

const { file, open, closing } = setUpEngines();

describe('batches', () => {
  test('[L8] commands that queue during a commit share the next one', async () => {
    const engine = await open();
    const thread = await newThread(engine);
    const before = engine.log.counts.syncs;
    await Promise.all(Array.from({ length: 64 }, (_, i) => engine.handle(human, say(thread, `m${i}`))));
    expect(engine.log.counts.syncs - before).toBe(1);
    const texts = (await engine.log.readThread(thread, 1, 100)).map((row) => eventOf(row).content);
    expect(texts).toEqual(Array.from({ length: 64 }, (_, i) => `m${i}`));
  });

  test('[L8] a command in a batch is decided on the results of those before it', async () => {
    const engine = await open();
    const thread = await newThread(engine);
    const mute: ConversationCommand = {
      name: 'post',
      input: { thread, type: 'control', content: { mute: { targets: ['alpha'], mode: 'hard' } } },
    };
    const [before, muted, after] = await Promise.all([
      engine.handle(alpha, say(thread, 'before')),
      engine.handle(human, mute),
      engine.handle(alpha, say(thread, 'after')),
    ]);
    expect(eventsOf(before as CommandResult)).toHaveLength(1);
    expect(eventsOf(muted as CommandResult)).toHaveLength(1);
    expect(refusalOf(after as CommandResult).code).toBe('participant_muted');
  });

  test('[L8] a command that cannot be stored does not fail its neighbours', async () => {
    const log = openSqliteLog(file());
    closing.push(() => log.close());
    const newId = monotonicFactory();
    const ids: string[] = [];
    const clock = {
      now: () => new Date().toISOString(),
      newId: () => ids.shift() ?? newId(),
      hash: String,
      random: Math.random,
      credentialKind: () => undefined,
    };
    const secrets = createSecrets();
    const handler = createHandler({
      log,
      domain: threads,
      states: createStates(log, threads),
      secrets,
      clock,
      onCommit: () => {},
    });
    const thread = (eventsOf(await handler.handle({ actor: human, command: create, id: 'c' }))[0] as StoredEvent)
      .thread;
    const takenId = (await log.readAll(0, 1))[0]?.id as string;
    // The second command is given an id that is already in the log, so its row cannot be stored; its neighbours' can.
    ids.push(newId(), takenId, newId(), newId(), takenId);
    const outcomes = await Promise.allSettled(
      ['one', 'two', 'three'].map((text) => handler.handle({ actor: human, command: say(thread, text), id: text })),
    );
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await log.readThread(thread, 1, 10)).map((row) => eventOf(row).content)).toEqual(['one', 'three']);
  });

  test.each(['decide', 'evolve', 'summary', 'the check of a new event'] as const)(
    '[L3] [L23] a command that makes %s throw fails alone and leaves no trace',
    async (part) => {
      const log = openSqliteLog(file());
      closing.push(() => log.close());
      const isPoison = (value: unknown) => JSON.stringify(value)?.includes('poison') ?? false;
      const throwIfPoison = (value: unknown) => {
        if (isPoison(value)) throw new TypeError(`${part} fell`);
      };
      const domain: typeof threads = {
        ...threads,
        decide: (world, command, context) => {
          if (part === 'decide') throwIfPoison(command);
          const decision = threads.decide(world, command, context);
          // A mistake in a decision: the content of a message is a text.
          if (part !== 'the check of a new event' || isRefusal(decision) || !isPoison(command)) return decision;
          return decision.map((event) => ({ ...event, content: 7 }));
        },
        evolve: (state, event) => {
          if (part === 'evolve') throwIfPoison(event.content);
          return threads.evolve(state, event);
        },
        summary: (state) => {
          if (part === 'summary') throwIfPoison(state.title);
          return threads.summary(state);
        },
      };
      const clock = {
        now: () => new Date().toISOString(),
        newId: monotonicFactory(),
        hash: String,
        random: () => 0,
        credentialKind: () => undefined,
      };
      const states = createStates(log, domain);
      const handler = createHandler({ log, domain, states, secrets: createSecrets(), clock, onCommit: () => {} });
      const thread = (eventsOf(await handler.handle({ actor: human, command: create, id: 'c' }))[0] as StoredEvent)
        .thread;
      const poison: ConversationCommand =
        part === 'summary' ? { ...create, input: { ...create.input, title: 'poison' } } : say(thread, 'poison');
      const commands = [say(thread, 'one'), poison, say(thread, 'two'), poison, create, say(thread, 'three')];
      const outcomes = await Promise.allSettled(
        commands.map((command, i) => handler.handle({ actor: human, command, id: `${i}` })),
      );
      expect(outcomes.map((outcome) => outcome.status)).toEqual([
        ...['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
      ]);
      const message =
        part === 'the check of a new event' ? expect.stringContaining('a new "message" does not fit') : `${part} fell`;
      expect(outcomes[1]).toMatchObject({ reason: expect.objectContaining({ message }) });
      expect((await log.readThread(thread, 1, 10)).map((row) => eventOf(row).content)).toEqual(['one', 'two', 'three']);
      expect((await states.load(thread))?.seq).toBe(4);
    },
  );

  test('[L22] a fork in the same commit as messages to its parent starts where it says', async () => {
    const engine = await open();
    const thread = await newThread(engine);
    const { commits } = engine.log.counts;
    const [, , forked, , again] = await Promise.all([
      engine.handle(human, say(thread, 'one')),
      engine.handle(human, say(thread, 'two')),
      engine.handle(human, { name: 'fork', input: { thread } }),
      engine.handle(human, say(thread, 'three')),
      engine.handle(human, { name: 'fork', input: { thread, seq: 2 } }),
    ]);
    expect(engine.log.counts.commits).toBe(commits + 1);
    for (const [handled, seq] of [
      [forked, 3],
      [again, 2],
    ] as const) {
      const first = eventsOf(handled as CommandResult)[0] as StoredEvent;
      const point = (await engine.log.lastOf(thread, seq)) as StoredEvent;
      expect(eventOf(first).content).toMatchObject({ forked_from: { thread, seq } });
      expect(first.seq).toBe(seq + 1);
      expect(first.hash).toBe(linkHash(point.hash, first.body));
    }
  });
});
