import { dialogueKill } from './dialogue-kill.ts';
import { dialogueTakeover } from './dialogue-takeover.ts';
import { exchangeKill } from './exchange-kill.ts';
import { exchangeTakeover } from './exchange-takeover.ts';
import type { Fault } from './fault.ts';
import { forks } from './forks.ts';
import { fullDisk } from './full-disk.ts';
import { ground } from './ground.ts';
import { kill } from './kill.ts';
import { loomKill } from './loom-kill.ts';
import { pageRestarts } from './page-restarts.ts';
import { postgresOrder, takeover } from './postgres.ts';
import { processes } from './processes.ts';
import { retries } from './retries.ts';
import { routes } from './routes.ts';
import { stalled } from './stalled.ts';
import { tails } from './tails.ts';
import { twoServers } from './two-servers.ts';

export const faults: readonly Fault[] = [
  processes,
  tails,
  forks,
  kill,
  loomKill,
  retries,
  routes,
  stalled,
  fullDisk,
  ground,
  postgresOrder,
  takeover,
  twoServers,
  dialogueKill,
  dialogueTakeover,
  exchangeKill,
  exchangeTakeover,
  pageRestarts,
];
