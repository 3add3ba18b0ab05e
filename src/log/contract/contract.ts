import { describe } from 'vitest';
import { appendContract } from './append.ts';
import { chainContract } from './chain.ts';
import { leaseContract } from './lease.ts';
import { readContract } from './read.ts';
import { recordContract } from './records.ts';
import { searchContract } from './search.ts';
import type { TestStore } from './support.ts';

/**
 * The behaviour that every implementation of the port must have (L18). `createStore` returns a new, empty log each
 * time.
 */
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
