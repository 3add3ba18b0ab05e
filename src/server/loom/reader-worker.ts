// A thread that reads files of looms, so that the server's own never waits for it.
import { parentPort, workerData } from 'node:worker_threads';
import { isRefusal } from '../../core/refusal.ts';
import { workInBackground } from '../../platform/background.ts';
import { readAll, whole } from './import.ts';
import { type ReaderAnswer, type ReaderData, type ReaderQuestion, readerOf } from './reader.ts';

workInBackground();
const { files, format } = workerData as ReaderData;
const read = readAll(files.map(whole), format);
const reader = isRefusal(read) ? undefined : readerOf(read);
parentPort?.on('message', async (question: ReaderQuestion) => {
  if (!reader) return;
  say(
    'next' in question ? { part: await reader.next(question.next) } : { report: await reader.report(question.report) },
  );
});
say(isRefusal(read) ? read : { looms: reader?.looms ?? [] });

function say(answer: ReaderAnswer) {
  parentPort?.postMessage(answer);
}
