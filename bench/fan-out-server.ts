// The floor for streams: a bare server that writes one shared frame to every open response. `fan-out-server.ts`
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerCpu } from './child.ts';

const readers = new Set<ServerResponse>();
let events = 0;

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('retry: 1000\n\n');
    readers.add(response);
    response.on('close', () => readers.delete(response));
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    events++;
    const envelope = `"from":"human","hash":"${'h'.repeat(64)}","id":"${events}","meta":{"by":"human"},"seq":${events},"thread":"thread"`;
    const frame = Buffer.from(`id: ${events}\nevent: message\ndata: {${envelope},"posted":${text}}\n\n`);
    for (const reader of readers) reader.write(frame);
    response.writeHead(201, { 'content-type': 'application/json' });
    response.end('{}');
  });
});

server.listen(0, '127.0.0.1', () => {
  answerCpu(() => ({ syncs: 0, events }));
  process.send?.({ port: (server.address() as AddressInfo).port, token: 'none', thread: 'thread' });
});
