import { describe } from 'vitest';
import { appendContract } from './append.ts';
import { chainContract } from './chain.ts';
import { leaseContract } from './lease.ts';
import { readContract } from './read.ts';
import { besideContract } from './records.ts';
import { searchContract } from './search.ts';
import type { Place } from './support.ts';

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
