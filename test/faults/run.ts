import { faults } from './faults.ts';

/* `npm run faults [name…] [--amount N]`: breaks things on purpose, at length. */
const words = process.argv.slice(2);
const at = words.indexOf('--amount');
const amount = at >= 0 ? Number(words.splice(at, 2)[1]) : undefined;
const unknown = words.filter((word) => !faults.some((fault) => fault.name === word));
if (unknown.length > 0 || Number.isNaN(amount)) {
  console.error(
    `Usage: npm run faults -- [name…] [--amount N]. There are: ${faults.map((fault) => fault.name).join(', ')}.`,
  );
  process.exit(2);
}

let broken = 0;
for (const fault of faults) {
  if (words.length > 0 && !words.includes(fault.name)) continue;
  const start = performance.now();
  const elapsed = () => `${((performance.now() - start) / 1000).toFixed(1)} s`;
  try {
    const outcome = await fault.run(amount ?? fault.full, (progress) => {
      console.log(`  ${fault.name}: ${progress} (${elapsed()})`);
    });
    console.log(`✓ ${fault.name} ${fault.rules}: ${outcome} (${elapsed()})`);
  } catch (error) {
    broken++;
    console.log(`✗ ${fault.name} ${fault.rules} (${elapsed()})`);
    console.error(error);
  }
}
process.exitCode = broken === 0 ? 0 : 1;
