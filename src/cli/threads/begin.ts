import type { Client, NewThreadBody } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import { withClient } from '../connect/client.ts';
import { EXIT, Failure } from '../failure.ts';
import { oneLine } from '../output/text.ts';
import { capitalize } from '../run/summary.ts';
import { setCurrentThread, targetOf } from './current.ts';

interface ThreadBeginning {
  /** Empty if the thread has none yet. */
  readonly title: string;
  readonly setup: NonNullable<NewThreadBody['setup']>;
  readonly modelNames: readonly string[];
}

/** Begins a thread of the program's kind and makes it the current one. */
export async function beginThread(cli: Cli, { title, setup, modelNames }: ThreadBeginning): Promise<void> {
  const { kind } = targetOf(cli);
  const defaultTitle = `${capitalize(kind)} of ${new Date().toLocaleString('sv').slice(0, 16)}`;
  const { thread } = await withClient(cli, async (client) => {
    await assertModelsExist(client, modelNames, 'Nothing was created.');
    return client.threads.create({ title: title || defaultTitle, kind, setup });
  });
  setCurrentThread(cli, thread.id);
  cli.out.answer({ thread }, `Created “${oneLine(thread.title)}” ${cli.out.colors.dim(thread.id)}`);
}

/** Fails now rather than in the first iteration or round. */
export async function assertModelsExist(
  client: Client,
  modelNames: readonly string[],
  consequence: string,
): Promise<void> {
  if (modelNames.length === 0) return;
  const names = (await client.models.list()).models.map(({ name }) => name);
  const missing = modelNames.find((name) => !names.includes(name));
  if (missing === undefined) return;
  throw new Failure(
    'unknown_model',
    `There is no model "${missing}" in heddle.yaml, only ${names.join(', ')}. "heddle models add" adds one. ${consequence}`,
    EXIT.refused,
  );
}
