import { describe } from 'vitest';
import { appendContract } from './append.ts';
import { chainContract } from './chain.ts';
import { leaseContract } from './lease.ts';
import { readContract } from './read.ts';
import { recordContract } from './records.ts';
import { searchContract } from './search.ts';
import type { TestStore } from './support.ts';

/** What every implementation of the port does (L18). `createStore` gives a new, empty log each time. */
export function logContract(name: string, createStore: () => Promise<TestStore>): void {
  describe(`the log: ${name}`, () => {
    appendContract(createStore);
    chainContract(createStore);
    leaseContract(createStore);
    readContract(createStore);
    recordContract(createStore);
    searchContract(createStore);
  });
}
