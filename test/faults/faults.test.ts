import { test } from 'vitest';
import { faults } from './faults.ts';

for (const fault of faults) {
  test(`${fault.rules} ${fault.name}: a short slice of the fault rig`, { timeout: 180_000 }, async () => {
    await fault.run(fault.slice, () => {});
  });
}
