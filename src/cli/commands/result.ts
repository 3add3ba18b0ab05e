import type { NewEventBody } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { usageError } from '../failure.ts';
import { type AttachOptions, addAttachOption, attachFiles } from '../input/attachments.ts';
import { THREAD_HELP } from '../input/thread-help.ts';
import { resolveEventId } from '../threads/event.ts';
import { postTo } from '../threads/post.ts';

interface ResultOptions extends AttachOptions {
  readonly status?: string;
  readonly data?: string;
}

export const declare: DeclareCommand = (command) =>
  addAttachOption(command)
    .argument('<thread>', THREAD_HELP)
    .argument('<task>', 'the task it answers, by id or number')
    .argument('[text...]', 'the result as text')
    .option('--status <status>', 'claimed, done, failed or cancelled (default: done)')
    .option('--data <json>', 'the result as JSON, with or without a text')
    .examples(
      'heddle result Garden 12 "Three beds, two in the sun."',
      `heddle result Garden 12 --data '{"beds":3}'`,
      'heddle result Garden 12 --status claimed',
      'heddle result Garden 12 --status failed "There is no plan of the garden."',
    )
    .run(postResult);

async function postResult(
  cli: Cli,
  name: string,
  task: string,
  words: readonly string[],
  { status, data, attach }: ResultOptions,
): Promise<void> {
  const text = words.join(' ');
  if (text === '' && data === undefined && status === undefined)
    throw usageError('Give the result: a text, --data JSON or --status.');
  const content = {
    ...(status !== undefined && { status }),
    ...(text !== '' && { text }),
    ...(data !== undefined && { data: parseData(data) }),
  };
  return postTo(cli, name, async (thread, client) => {
    const reply_to = await resolveEventId(thread, task);
    const attachments = await attachFiles(client, attach ? { attach } : {});
    const meta = { reply_to, ...(attachments.length > 0 && { attachments }) };
    return { type: 'result', content: hasOnlyText(content) ? text : content, meta } as NewEventBody;
  });
}

function hasOnlyText(content: object): boolean {
  return Object.keys(content).join() === 'text';
}

function parseData(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw usageError(`--data is not JSON: ${(error as Error).message}.`);
  }
}
