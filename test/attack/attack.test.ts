import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { type AttackOptions, attack } from './attack.ts';
import { commandFor } from './run-again.ts';

const seed = Number(process.env.HEDDLE_SEED ?? randomInt(2 ** 31));

const slices: readonly (Pick<AttackOptions, 'store' | 'only'> & { readonly rules: string })[] = [
  { store: 'sqlite', rules: '[L22] [L23] [L25] [T22] [T23] [T28] [M13] [I25]' },
  {
    store: 'postgres',
    rules: '[L22] [L23] [T22]',
    only: ['forks', 'names', 'keys', 'search', 'voices', 'muted', 'routes'],
  },
];

for (const { store, rules, only } of slices) {
  test(`${rules} an agent that does everything wrong breaks nothing on ${store}`, { timeout: 600_000 }, async () => {
    const findings = await attack({
      ...{ seed, store, forMs: 0, scale: 1, onFinding: () => {}, say: () => {} },
      ...(only && { only }),
    });
    const told = findings.map((finding) => `${finding.tactic}: ${finding.what}\n${commandFor(finding, store)}`);
    expect(told, findings.map(({ example }) => example).join('\n')).toEqual([]);
  });
}
