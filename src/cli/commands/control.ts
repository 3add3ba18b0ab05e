import type { NewEvent, Posted } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import { type Declare, examples } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { controlContent, controlNames } from '../control/content.ts';
import { settingsOf } from '../control/settings.ts';
import { describe } from '../events/describe.ts';
import { usage } from '../failure.ts';
import { deliveryLines } from '../output/delivery.ts';
import { oneLine, wrap } from '../output/text.ts';
import { threadOfClient } from '../threads/find.ts';

interface Options {
  readonly soft?: boolean;
  readonly content?: string;
}

export const declare: Declare = (command, start) =>
  command
    .argument('<thread>', 'its id, the beginning or end of it, or its exact title')
    .argument('[name]', `${controlNames.join(', ')}; without one, every setting is shown`)
    .argument('[values...]', 'what it needs: ids, on or off, a number, or name=value pairs')
    .option('--soft', 'mute softly: what they write is kept and folded, and wakes nobody')
    .option('--content <json>', 'the whole content, for shapes these words cannot say')
    .addHelpText(
      'after',
      examples(
        'heddle control Garden',
        'heddle control Garden budget',
        'heddle control Garden budget tokens=100000 money=2',
        'heddle control Garden budget none',
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
  if (options.content === undefined && isQuestion(name, values)) return show(cli, thread, name);
  const content =
    options.content === undefined ? controlContent(name, values, options) : contentOf(options.content, name);
  const posted = await withClient(cli, async (client) =>
    client.thread(await threadOfClient(client, thread)).post({ type: 'control', content } as NewEvent),
  );
  if (cli.out.json) return cli.out.value(posted);
  const calledOff = (posted.also ?? []).filter(({ type }) => type === 'wake.closed');
  for (const event of [posted.event, ...calledOff])
    cli.out.line(`#${event.seq}: ${event.from} ${describe(event as never).text}`);
  for (const line of deliveryLines(inVain(posted))) cli.out.line(cli.out.colors.dim(`  ${line}`));
}

/** Those who were prodded and will not answer, such as the muted. */
function inVain({ event, delivery }: Posted): Posted['delivery'] {
  const { prod = [] } = event.content as { prod?: readonly string[] };
  return delivery.filter(({ participant, decision }) => decision === 'no' && prod.includes(participant));
}

const SHOWN_ALONE: ReadonlySet<string> = new Set([
  ...['mute', 'policy', 'invited_auto', 'discussion', 'ttl_seconds', 'budget', 'presence_log'],
]);

/** Settings are shown; what only happens, such as a prod, needs its values. */
function isQuestion(name: string | undefined, values: readonly string[]): boolean {
  return name === undefined || (values.length === 0 && SHOWN_ALONE.has(name));
}

async function show(cli: Cli, thread: string, name: string | undefined): Promise<void> {
  const { out } = cli;
  const { state } = await withClient(cli, async (client) =>
    client.thread(await threadOfClient(client, thread)).state(),
  );
  const settings = settingsOf(state).filter((each) => name === undefined || each.name === name);
  if (out.json) return out.value({ thread: state.id, settings });
  for (const setting of settings) {
    out.line(`${out.colors.bold(setting.name)}  ${oneLine(setting.value)}`);
    for (const row of wrap(`${setting.sentence} Default: ${setting.default}.`, out.width - 2))
      out.line(out.colors.dim(`  ${row}`));
  }
}

function contentOf(json: string, name: string | undefined): unknown {
  if (name !== undefined) throw usage('Give the name of a control or --content, not both.');
  try {
    return JSON.parse(json);
  } catch {
    throw usage('--content is not JSON.');
  }
}
