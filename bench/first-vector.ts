// A process that embeds one text and says how long that took and how much memory it needed.
import { openEmbedder } from '../src/models/builtin/embedder/embedder.ts';

const before = process.memoryUsage.rss();
const start = performance.now();
const embedder = openEmbedder();
await embedder.embed(['The first text.']);
console.log(JSON.stringify({ ms: performance.now() - start, bytes: process.memoryUsage.rss() - before }));
await embedder.close();
