import type { NewEvent } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import { type Declare, examples } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { usage } from '../failure.ts';
import { tellPosted } from '../output/delivery.ts';
import { eventIn } from '../threads/event.ts';
import { threadOfClient } from '../threads/find.ts';

interface Options {
  readonly status?: string;
  readonly data?: string;
}

export const declare: Declare = (command, start) =>
  command
    .argument('<thread>', 'its id, the beginning or end of it, or its exact title')
    .argument('<task>', 'the task it answers, by id or number')
    .argument('[text...]', 'the result in words')
    .option('--status <status>', 'claimed, done, failed or cancelled (default: done)')
    .option('--data <json>', 'the result as JSON, with or without a text')
    .addHelpText(
      'after',
      examples(
        'heddle result Garden 12 "Three beds, two in the sun."',
        `heddle result Garden 12 --data '{"beds":3}'`,
        'heddle result Garden 12 --status claimed',
        'heddle result Garden 12 --status failed "There is no plan of the garden."',
      ),
    )
    .action((thread: string, task: string, words: string[], options: Options) =>
      giveResult(start(), thread, task, words, options),
    );

async function giveResult(
  cli: Cli,
  name: string,
  task: string,
  words: readonly string[],
  { status, data }: Options,
): Promise<void> {
  const text = words.join(' ');
  if (text === '' && data === undefined && status === undefined)
    throw usage('Say what came of it: a text, --data JSON or --status.');
  const content = {
    ...(status !== undefined && { status }),
    ...(text !== '' && { text }),
    ...(data !== undefined && { data: parsed(data) }),
  };
  let isServed = cli.database !== undefined;
  const posted = await withClient(cli, async (client, server) => {
    isServed ||= server !== undefined;
    const thread = client.thread(await threadOfClient(client, name));
    const meta = { reply_to: await eventIn(thread, task) };
    return thread.post({ type: 'result', content: isPlain(content) ? text : content, meta } as NewEvent);
  });
  tellPosted(cli.out, posted, isServed);
}

function isPlain(content: object): boolean {
  return Object.keys(content).join() === 'text';
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw usage(`--data is not JSON: ${(error as Error).message}.`);
  }
}
