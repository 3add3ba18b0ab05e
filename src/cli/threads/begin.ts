import type { Client } from '../../client/index.ts';
import { EXIT, Failure } from '../failure.ts';

/** Fails now rather than in the first iteration. */
export async function assertModelExists(client: Client, model: string, consequence: string): Promise<void> {
  const { models } = await client.models.list();
  if (models.some(({ name }) => name === model)) return;
  const names = models.map(({ name }) => name).join(', ');
  throw new Failure(
    'unknown_model',
    `There is no model "${model}" in heddle.yaml, only ${names}. "heddle models add" adds one. ${consequence}`,
    EXIT.refused,
  );
}
