import { expect } from 'vitest';
import { isRefusal } from '../../../src/core/refusal.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { explain } from '../../../src/engine/explain/explain.ts';
import type { WireAccount } from '../../../src/protocol/explain.ts';

/** Where the text at a link came from, with a proof that holds. */
export async function accountOf(engine: Engine, link: string, offset?: number, whole = false): Promise<WireAccount> {
  const account = await explain(engine, { link, offset, whole });
  if (isRefusal(account)) throw new Error(account.refusal.message);
  expect(account.proof).toMatchObject({ holds: true, whole: true });
  return account;
}

export const sentences = ({ steps }: WireAccount) => steps.map(({ what }) => what);
