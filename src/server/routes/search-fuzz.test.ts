import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fuzzRuns, seeded } from '../../../test/support/random.ts';
import { makeLoom } from '../../../test/support/servers/loom-samples.ts';
import { openTestServer } from '../../../test/support/servers/server.ts';
import { freshPostgres } from '../../../test/support/stores/postgres-url.ts';
import type { EventLog } from '../../log/event-log.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';
import { openPostgresLog } from '../../log/postgres/postgres-log.ts';
import { openSqliteLog } from '../../log/sqlite/sqlite-log.ts';
import type { WireError } from '../../protocol/wire.ts';

/** What means something in the language of a store, an expression or an address, and what is hard to fold. */
const PIECES = [
  ...['-', '--', '+', '*', '"', '""', "'", '`', '^', ':', '(', ')', '[', ']', '{', '}', '<->', '&', '|', '!', ':*'],
  ...['\\', '%', '_', '.', '$', '?', '/', '#', '~', ';', '¦', '\0', '\n', '\t', '\u200b', '\u202e', '\ud800', '\udfff'],
  ...['AND', 'OR', 'NOT', 'NEAR(a b, 2)', 'words:', 'list:', '^once', 'o*', 'on*', 'onc*', 'rank', 'DROP TABLE words'],
  ...[
    'once',
    'Once',
    'a-b',
    'time-',
    '-time',
    '"upon a',
    'ONCE*',
    'k¦title',
    'f¦ada',
    '\\u0041',
    '\\p{L}',
    '(?:',
    '[a-',
  ],
  ...['İ', 'ß', 'ﷺ', 'e\u0301', '漢字', 'ไทย', '👩‍👩‍👧', '\u{10ffff}', '1e999', '9'.repeat(40), '\u30fc', 'ـ'],
];

const stores: Record<string, () => Promise<EventLog>> = {
  memory: async () => openMemoryLog(),
  SQLite: async () => {
    const directory = mkdtempSync(join(tmpdir(), 'heddle-search-fuzz-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    return openSqliteLog(join(directory, 'heddle.db'));
  },
  PostgreSQL: async () => openPostgresLog(await freshPostgres()),
};

async function openLoom(store: string) {
  const server = await openTestServer({ log: await (stores[store] as () => Promise<EventLog>)() });
  onTestFinished(() => server.close());
  const { thread } = await makeLoom(server.client());
  return { server, thread };
}

test.each(Object.keys(stores))('[I30] any search text is answered or refused with a message (%s)', async (store) => {
  const { server, thread } = await openLoom(store);
  for (let i = 0; i < fuzzRuns(40); i++) {
    const seed = Number(process.env.HEDDLE_SEED ?? Math.floor(Math.random() * 2 ** 31));
    const random = seeded(seed);
    const text = () =>
      Array.from({ length: 1 + random.below(6) }, () => random.pick(PIECES)).join(random.pick(['', ' ']));
    const field = random.pick(['from', 'thread', 'kind', 'after', 'before', 'cursor', 'limit']);
    const addresses = [
      `/api/search?${new URLSearchParams({ q: text() })}`,
      `/api/search?${new URLSearchParams({ q: 'once', [field]: text() })}`,
      `/api/search?${new URLSearchParams({ q: text().slice(0, 500), thread })}`,
      `/api/threads/${thread}/found?${new URLSearchParams({ words: text(), in: random.pick(['tree', 'path']) })}`,
      `/api/threads/${thread}/nodes?${new URLSearchParams({ like: text() })}`,
    ];
    for (const address of addresses) {
      const answer = await server.send('GET', address);
      const body = await answer.text();
      expect([seed, address, answer.status < 500, body]).toEqual([seed, address, true, body]);
      if (answer.status !== 200) expect((JSON.parse(body) as WireError).error.message).toMatch(/[.?]$/);
    }
  }
  expect(server.reported).toEqual([]);
});

test('[W22] symbols are searched for literally in a loom', async () => {
  const { server, thread } = await openLoom('memory');
  const signs = [
    'well-known',
    'a-',
    '-b',
    'c++',
    '[x]',
    '(y)',
    '3/4',
    '^',
    '$',
    'q?',
    'a|b',
    '{2}',
    '\\d',
    '*',
    '…',
    "don't",
  ];
  for (const sign of signs)
    await server
      .client()
      .thread(thread)
      .command('commit', { text: ` ${sign}` });
  for (const sign of signs) {
    const { found } = await server.client().thread(thread).loom.search({ words: sign });
    expect([sign, found.some(({ excerpt }) => excerpt.includes(sign))]).toEqual([sign, true]);
  }
});

test.each(Object.keys(stores))('[L15] NUL in an address is refused with a message (%s)', async (store) => {
  const { server } = await openLoom(store);
  const fields = ['q', 'from', 'thread', 'kind', 'after', 'before', 'cursor'];
  for (const field of fields) {
    const answer = await server.send('GET', `/api/search?q=once&${field}=a%00b`);
    expect([field, answer.status]).toEqual([field, 422]);
  }
  for (const path of [
    '/api/threads/%00/events',
    '/api/threads/a%00b/commands/fork',
    '/api/threads/%00/commands/undo',
  ]) {
    const answer = await server.send('POST', path, { body: { type: 'message', content: 'x' } });
    expect([path, answer.status]).toEqual([path, 404]);
  }
  const { thread } = await server.client().threads.create({ title: 'Here' });
  const body = { from: `/threads/${thread.id}#a\0b`, to: `/threads/${thread.id}` };
  expect((await server.send('POST', '/api/bring', { body })).status).toBe(400);
  expect(server.reported).toEqual([]);
});
