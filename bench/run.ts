import { agents } from './agents.ts';
import { appendsWhileGenerating } from './appends-while-generating.ts';
import { authorship } from './authorship.ts';
import { dialogue } from './dialogue.ts';
import { embedded, embeddedText } from './embedded.ts';
import { embedder } from './embedder.ts';
import { exchange } from './exchange.ts';
import { history } from './history.ts';
import { httpAppend } from './http-append.ts';
import { loneAppend } from './lone-append.ts';
import { loomEdit } from './loom-edit.ts';
import { loomImport } from './loom-import.ts';
import { loomOpen } from './loom-open.ts';
import { loomPath } from './loom-path.ts';
import { met, show } from './measure.ts';
import { modelMemory } from './model-memory.ts';
import { opening } from './opening.ts';
import { page } from './page.ts';
import { pageLoom } from './page-loom.ts';
import { pageMessages } from './page-messages.ts';
import { pageStreaming } from './page-streaming.ts';
import { pool } from './pool.ts';
import { postgres } from './postgres.ts';
import { search } from './search.ts';
import { searchPostgres } from './search-postgres.ts';
import { stalls } from './stalls.ts';
import { startUp } from './start-up.ts';
import { streams } from './streams.ts';
import { watchTaken } from './taken.ts';
import { transfer } from './transfer.ts';
import { weave } from './weave.ts';

/* `npm run bench [name…]`: every figure is a ratio to a floor in the same run, or an exact count. */
const benches = {
  'http-append': httpAppend,
  'lone-append': loneAppend,
  streams,
  stalls,
  history,
  opening,
  transfer,
  postgres,
  'start-up': startUp,
  embedded,
  'embedded-text': embeddedText,
  embedder,
  'appends-while-generating': appendsWhileGenerating,
  'model-memory': modelMemory,
  weave,
  authorship,
  'loom-import': loomImport,
  'loom-path': loomPath,
  'loom-edit': loomEdit,
  'loom-open': loomOpen,
  pool,
  page,
  'page-loom': pageLoom,
  'page-messages': pageMessages,
  'page-streaming': pageStreaming,
  dialogue,
  exchange,
  agents,
  search,
  'search-postgres': searchPostgres,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`There is no bench "${unknown[0]}". There are: ${Object.keys(benches).join(', ')}.`);
  process.exit(2);
}

const taken = watchTaken();
let missed = 0;
for (const [name, bench] of Object.entries(benches)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  for (const figure of await bench()) {
    console.log(show(figure));
    if (!met(figure)) missed++;
  }
}
console.log(`${missed === 0 ? 'All figures met.' : `${missed} missed.`}${taken()}`);
