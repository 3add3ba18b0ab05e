import type { Client, WireEvent } from '../../client/index.ts';
import type { Delivery } from '../../core/threads/policy/policy.ts';
import {
  beginReplay,
  type DeliveryDifference,
  type PolicySettings,
  replayEvent,
} from '../../core/threads/policy/replay.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { usageError } from '../failure.ts';
import { parseInteger } from '../input/numbers.ts';
import { oneLine } from '../output/text.ts';
import { resolveThreadId } from '../threads/find.ts';

interface PolicyReplayOptions {
  readonly mode?: string;
  readonly hops?: string;
  readonly wakes?: string;
}

const MODES = ['small', 'large', 'auto'];
const PAGE = 1000;

export const declare: DeclareCommand = (command) => {
  command
    .command('replay <thread>')
    .description('show whom a thread would have woken under other settings')
    .option(
      '--mode <mode>',
      'small: a human’s message wakes every agent; large: only those addressed; auto: small up to 3 agents',
    )
    .option('--hops <n>', 'how deep agents may wake agents')
    .option('--wakes <n>', 'how often agents may wake agents, for each message of a human')
    .examples('heddle policy replay Garden --mode large', 'heddle policy replay Garden --hops 2 --wakes 8 --json')
    .footnote('This changes nothing. To change the settings: heddle control THREAD policy MODE hops=N')
    .run(replay);
};

interface ReplayChange {
  readonly seq: number;
  readonly event: string;
  readonly from: string;
  readonly differences: readonly DeliveryDifference[];
}

async function replay(cli: Cli, name: string, options: PolicyReplayOptions): Promise<void> {
  const settings = policySettingsOf(options);
  const result = await withClient(cli, async (client) => {
    const thread = await resolveThreadId(client, name);
    return { thread, ...(await replayThread(client, thread, settings)) };
  });
  const { out } = cli;
  if (out.json) return out.value({ settings, ...result });
  for (const { seq, from, differences } of result.changed) {
    out.line(`#${seq} ${oneLine(from)}`);
    for (const { participant, was, would } of differences)
      out.line(
        `   ${oneLine(participant)}: ${describeDecision(was)} → ${describeDecision(would)} ${out.colors.dim(oneLine(would.reason))}`,
      );
  }
  const { events, wakes, changed } = result;
  out.line(
    changed.length === 0
      ? `No differences: ${wakes.was} wakes by ${events} events.`
      : `${changed.length} of ${events} events would differ: ${wakes.was} wakes become ${wakes.would}.`,
  );
}

async function replayThread(client: Client, thread: string, settings: PolicySettings) {
  let state = beginReplay(thread, settings);
  let events = 0;
  const wakes = { was: 0, would: 0 };
  const changed: ReplayChange[] = [];
  for await (const event of eventsOf(client, thread)) {
    const { replay: next, deliveries: decided, differences } = replayEvent(state, event);
    state = next;
    if (!decided) continue;
    events++;
    wakes.was += countWakes(decided.was);
    wakes.would += countWakes(decided.would);
    if (differences.length > 0) changed.push({ seq: event.seq, event: event.id, from: event.from, differences });
  }
  return { events, wakes, changed };
}

async function* eventsOf(client: Client, thread: string): AsyncGenerator<WireEvent> {
  for (let after: string | undefined; ; ) {
    const { events, cursor, head } = await client
      .thread(thread)
      .events({ limit: PAGE, ...(after !== undefined && { after }) });
    yield* events;
    if (cursor === head || events.length === 0) return;
    after = cursor;
  }
}

function countWakes(decisions: readonly Delivery[]): number {
  return decisions.filter(({ decision }) => decision !== 'no').length;
}

function describeDecision({ decision, code }: Delivery): string {
  return decision === 'no' ? `not woken (${code})` : code;
}

function policySettingsOf({ mode, hops, wakes }: PolicyReplayOptions): PolicySettings {
  if (mode === undefined && hops === undefined && wakes === undefined)
    throw usageError('Give at least one other setting: --mode, --hops or --wakes.');
  if (mode !== undefined && !MODES.includes(mode))
    throw usageError(`"--mode ${oneLine(mode)}" should be ${MODES.join(', ')}.`);
  return {
    ...(mode !== undefined && { mode: mode as 'small' | 'large' | 'auto' }),
    ...(hops !== undefined && { hops: parseInteger('--hops', hops) }),
    ...(wakes !== undefined && { wakes: parseInteger('--wakes', wakes) }),
  };
}
