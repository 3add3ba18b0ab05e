// The floor: bare node:http, JSON.parse, and rows of the same size inserted in groups. `floor-server.ts PATH`.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openDatabase } from '../src/log/sqlite/open-database.ts';
import { answerCpu } from './child.ts';

const db = openDatabase(process.argv[2] ?? '', {});
const begin = db.prepare('BEGIN IMMEDIATE');
const commit = db.prepare('COMMIT');
const insert = db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)');
const remember = db.prepare('INSERT INTO commands VALUES (?, ?, ?, ?, ?)');
const THREAD = 't'.repeat(26);
const HASH = 'h'.repeat(64);
const envelope = `"from":"human","id":"${'i'.repeat(26)}","meta":{"by":"human"},"seq":100000,"thread":"${'t'.repeat(26)}","to":"all","ts":"2026-01-01T00:00:00.000Z","type":"message","v":1,`;
let queue: { key: string; body: string; response: ServerResponse }[] = [];
let position = 0;
let syncs = 0;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    const parsed = JSON.parse(text);
    if (typeof parsed.content !== 'string') throw new Error('not a message');
    const key = String(request.headers['idempotency-key']);
    queue.push({ key, body: `{"content":${JSON.stringify(parsed.content)},${envelope}"command":"${key}"}`, response });
    if (queue.length === 1) setImmediate(flush);
  });
});

function flush() {
  const batch = queue;
  queue = [];
  begin.run();
  for (const { key, body } of batch) {
    position++;
    insert.run(position, `id${position}`.padEnd(26, '-'), THREAD, position, HASH, body);
    remember.run('human', key, HASH, position, 1);
  }
  commit.run();
  syncs++;
  for (const { body, response } of batch) {
    response.writeHead(201, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  }
}

server.listen(0, '127.0.0.1', () => {
  answerCpu(() => ({ syncs, events: position }));
  process.send?.({ port: (server.address() as AddressInfo).port, token: 'none', thread: 'thread' });
});
