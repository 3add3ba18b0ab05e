import { test } from 'vitest';
import type { Fault } from './fault.ts';
import { faults } from './faults.ts';

/** These do little but wait until a lease has run out: so they wait together. */
const isTakeover = ({ name }: Fault) => name.endsWith('takeover');

for (const fault of faults.toSorted((a, b) => Number(isTakeover(a)) - Number(isTakeover(b)))) {
  const options = { timeout: 180_000, concurrent: isTakeover(fault) };
  test(`${fault.rules} ${fault.name}: a short slice of the fault rig`, options, async () => {
    await fault.run(fault.slice, () => {});
  });
}
