// A worker thread that parses loom files, so that the server's main thread never blocks.
import { parentPort, workerData } from 'node:worker_threads';
import { isRefusal } from '../../core/refusal.ts';
import { workInBackground } from '../../platform/background.ts';
import { joinPieces, parseLooms } from './import.ts';
import { createReader, type ReaderData, type ReaderRequest, type ReaderResponse } from './reader.ts';

workInBackground();
const { files, format } = workerData as ReaderData;
const parsedLooms = parseLooms(files.map(joinPieces), format);
const reader = isRefusal(parsedLooms) ? undefined : createReader(parsedLooms);
parentPort?.on('message', async (request: ReaderRequest) => {
  if (!reader) return;
  send('next' in request ? { part: await reader.next(request.next) } : { report: await reader.report(request.report) });
});
send(isRefusal(parsedLooms) ? parsedLooms : { looms: reader?.looms ?? [] });

function send(response: ReaderResponse) {
  parentPort?.postMessage(response);
}
