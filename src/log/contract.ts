import { describe } from 'vitest';
import { appendContract } from './contract-append.ts';
import { besideContract } from './contract-beside.ts';
import { chainContract } from './contract-chain.ts';
import { leaseContract } from './contract-lease.ts';
import { readContract } from './contract-read.ts';
import { searchContract } from './contract-search.ts';
import type { Place } from './contract-support.ts';

/** What every implementation of the port does (L18). `create` gives a new, empty log each time. */
export function logContract(name: string, create: () => Promise<Place>): void {
  describe(`the log: ${name}`, () => {
    appendContract(create);
    chainContract(create);
    leaseContract(create);
    readContract(create);
    besideContract(create);
    searchContract(create);
  });
}
