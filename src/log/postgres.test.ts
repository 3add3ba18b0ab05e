import { expect, test } from 'vitest';
import { freshPostgres } from '../../test/support/postgres-url.ts';
import { openPostgresLog } from './postgres.ts';

test('[L18] opens', async () => {
  const log = await openPostgresLog(await freshPostgres());
  expect(await log.head()).toBe(0);
  await log.close();
});
