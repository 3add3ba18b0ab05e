import type { NewEvent } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import { withClient } from '../connect.ts';
import { controlContent, controlNames } from '../control-content.ts';
import { type Declare, examples } from '../declare.ts';
import { describe } from '../describe.ts';
import { usage } from '../failure.ts';
import { threadOfClient } from '../find-thread.ts';

interface Options {
  readonly soft?: boolean;
  readonly content?: string;
}

export const declare: Declare = (command, start) =>
  command
    .argument('<thread>', 'its id, the beginning or end of it, or its exact title')
    .argument('[name]', controlNames.join(', '))
    .argument('[values...]', 'what it needs: ids, on or off, a number, or name=value pairs')
    .option('--soft', 'mute softly: what they write is kept and folded, and wakes nobody')
    .option('--content <json>', 'the whole content, for shapes these words cannot say')
    .addHelpText(
      'after',
      examples(
        'heddle control Garden mute alpha --soft',
        'heddle control Garden pause on',
        'heddle control Garden ttl_seconds 600',
        'heddle control Garden policy large hops=3',
        `heddle control Garden --content '{"prod":["alpha"]}'`,
      ),
    )
    .action((thread: string, name: string | undefined, values: string[], options: Options) =>
      control(start(), thread, name, values, options),
    );

async function control(
  cli: Cli,
  thread: string,
  name: string | undefined,
  values: string[],
  options: Options,
): Promise<void> {
  const content =
    options.content === undefined ? controlContent(name, values, options) : contentOf(options.content, name);
  const posted = await withClient(cli, async (client) =>
    client.thread(await threadOfClient(client, thread)).post({ type: 'control', content } as NewEvent),
  );
  if (cli.out.json) return cli.out.value(posted);
  const described = describe(posted.event as never);
  cli.out.line(`#${posted.event.seq}: ${posted.event.from} ${described.text}`);
}

function contentOf(json: string, name: string | undefined): unknown {
  if (name !== undefined) throw usage('Give the name of a control or --content, not both.');
  try {
    return JSON.parse(json);
  } catch {
    throw usage('--content is not JSON.');
  }
}
