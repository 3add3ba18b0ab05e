import type { NewEventBody, ThreadClient, WirePostResult } from '../../client/index.ts';
import { describeEvent } from '../../core/describe.ts';
import { ControlPosted } from '../../core/threads/events.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { buildControlContent, controlNames } from '../control/content.ts';
import { threadSettingsOf } from '../control/settings.ts';
import { usageError } from '../failure.ts';
import { THREAD_HELP } from '../input/thread-help.ts';
import { deliveryLines } from '../output/delivery.ts';
import { oneLine, wrap } from '../output/text.ts';
import { resolveEventId } from '../threads/event.ts';
import { withThread } from '../threads/find.ts';

interface ControlOptions {
  readonly soft?: boolean;
  readonly replyTo?: string;
  readonly content?: string;
}

export const declare: DeclareCommand = (command) =>
  command
    .argument('<thread>', THREAD_HELP)
    .argument('[name]', `${controlNames.join(', ')}; without one, shows every setting`)
    .argument('[values...]', 'its value: IDs, on or off, a number, or name=value pairs')
    .option('--soft', 'with mute: keep their messages, folded; they wake nobody')
    .option('--reply-to <event>', 'with prod: the message to answer again, by ID or number')
    .option('--content <json>', 'the whole content as JSON, for anything the other arguments cannot express')
    .examples(
      'heddle control Garden',
      'heddle control Garden budget',
      'heddle control Garden budget tokens=100000 money=2',
      'heddle control Garden budget none',
      'heddle control Garden mute alpha --soft',
      'heddle control Garden pause on',
      'heddle control Garden prod alpha --reply-to 12',
      'heddle control Garden ttl_seconds 600',
      'heddle control Garden policy large hops=3',
      `heddle control Garden --content '{"prod":["alpha"]}'`,
    )
    .run(control);

async function control(
  cli: Cli,
  thread: string,
  name: string | undefined,
  values: string[],
  options: ControlOptions,
): Promise<void> {
  if (options.content === undefined && isSettingQuery(name, values)) return show(cli, thread, name);
  const content =
    options.content === undefined ? buildControlContent(name, values, options) : parseContent(options.content, name);
  const response = await withThread(cli, thread, (target) => postControl(target, content, options.replyTo));
  if (cli.out.json) return cli.out.value(response);
  const closedWakes = (response.also ?? []).filter(({ type }) => type === 'wake.closed');
  for (const event of [response.event, ...closedWakes])
    cli.out.line(`#${event.seq}: ${event.from} ${describeEvent(event).text}`);
  for (const line of deliveryLines(ineffectiveProds(response))) cli.out.line(cli.out.colors.dim(`  ${line}`));
}

async function postControl(target: ThreadClient, content: unknown, event: string | undefined) {
  const reply_to = event && (await resolveEventId(target, event));
  return target.post({ type: 'control', content, ...(reply_to && { meta: { reply_to } }) } as NewEventBody);
}

/** Deliveries to prodded participants who will not answer, such as muted ones. */
function ineffectiveProds({ event, delivery }: WirePostResult): WirePostResult['delivery'] {
  const control = ControlPosted.read(event)?.content;
  const prod = control && 'prod' in control ? control.prod : [];
  return delivery.filter(({ participant, decision }) => decision === 'no' && prod.includes(participant));
}

const READABLE_SETTINGS: ReadonlySet<string> = new Set([
  ...['mute', 'policy', 'invited_auto', 'discussion', 'ttl_seconds', 'budget', 'presence_log'],
]);

/** A setting without values is a query. A one-time control, such as a prod, always needs its values. */
function isSettingQuery(name: string | undefined, values: readonly string[]): boolean {
  return name === undefined || (values.length === 0 && READABLE_SETTINGS.has(name));
}

async function show(cli: Cli, thread: string, name: string | undefined): Promise<void> {
  const { out } = cli;
  const { state } = await withThread(cli, thread, (target) => target.state());
  const settings = threadSettingsOf(state).filter((each) => name === undefined || each.name === name);
  if (out.json) return out.value({ thread: state.id, settings });
  for (const setting of settings) {
    out.line(`${out.colors.bold(setting.name)}  ${oneLine(setting.value)}`);
    for (const row of wrap(`${setting.sentence} Default: ${setting.default}.`, out.width - 2))
      out.line(out.colors.dim(`  ${row}`));
  }
}

function parseContent(json: string, name: string | undefined): unknown {
  if (name !== undefined) throw usageError('Give the name of a control or --content, not both.');
  try {
    return JSON.parse(json);
  } catch {
    throw usageError('--content is not JSON.');
  }
}
