import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { attack, type Store } from './attack.ts';
import type { Finding } from './report.ts';
import { commandFor } from './run-again.ts';
import { tactics } from './tactics.ts';

/* `npm run attack -- [--minutes N] [--seed S] [--store sqlite|postgres|both] [--only NAME…]`: the project's own adversary. */
const names = tactics.map(({ name }) => name);
const { values } = readWords();
const seed = Number(values.seed ?? randomInt(2 ** 31));
const minutes = Number(values.minutes ?? (values.only ? 0 : 60));
const stores: readonly Store[] = values.store === 'both' ? ['sqlite', 'postgres'] : [values.store as Store];
const unknown = values.only?.filter((name) => !names.includes(name)) ?? [];
if (Number.isNaN(seed + minutes) || unknown.length > 0 || !['sqlite', 'postgres', 'both'].includes(values.store))
  usage();

// Whoever stops it stops the servers, too: they are ended when this process exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

const start = performance.now();
let count = 0;
for (const store of stores) {
  const findings = await attack({
    seed,
    store,
    forMs: (minutes * 60_000) / stores.length,
    scale: minutes >= 5 ? 4 : 1,
    ...(values.only && { only: values.only }),
    onFinding: (finding) => show(finding, store),
    say: (progress) => console.log(`  ${progress} (${((performance.now() - start) / 1000).toFixed(0)} s)`),
  });
  for (const { what, times } of findings) if (times > 1) console.log(`  ${times} times: ${what}`);
  count += findings.length;
}
console.log(`${count} ${count === 1 ? 'finding' : 'findings'} (seed ${seed}, ${stores.join(' and ')})`);
// Whatever a server that crashed has left open must not keep this one alive.
process.exit(count === 0 ? 0 : 1);

function show(finding: Finding, store: Store) {
  console.log(`✗ ${finding.tactic}: ${finding.what}`);
  if (finding.example !== '') console.log(`    ${finding.example.replaceAll('\n', '\n    ')}`);
  console.log(`    again: ${commandFor(finding, store, values.only)}`);
}

function readWords() {
  try {
    return parseArgs({
      options: {
        minutes: { type: 'string' },
        seed: { type: 'string' },
        store: { type: 'string', default: 'both' },
        only: { type: 'string', multiple: true },
      },
    });
  } catch {
    return usage();
  }
}

function usage(): never {
  console.error(
    `Usage: npm run attack -- [--minutes N] [--seed S] [--store sqlite|postgres|both] [--only NAME]. There are: ${names.join(', ')}.`,
  );
  process.exit(2);
}
