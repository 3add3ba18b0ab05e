import { inject } from 'vitest';
import { freshSchema } from './postgres.ts';

/** The URL of an empty workspace on the test run's PostgreSQL server. */
export async function freshPostgres(): Promise<string> {
  const answer = await fetch(inject('postgresStarter'));
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return freshSchema(text);
}
