import type { Client, StreamItem, ThreadClient } from '../../client/index.ts';
import type { ContentOf, EventOf } from '../../core/events/define.ts';
import { readEvent } from '../../core/events/read.ts';
import type {
  GenerationFailed,
  GenerationFinished,
  GenerationRequested,
  GenerationWaiting,
  LoomEvent,
  LoomLiveItem,
} from '../../core/loom/events.ts';
import { formatNumber } from '../../core/text/format-number.ts';
import { formatMoney } from '../../core/text/money.ts';
import type { Cli } from '../cli.ts';
import { withWorker } from '../connect/client.ts';
import { EXIT, Failure } from '../failure.ts';
import { parseDecimal, parseInteger } from '../input/numbers.ts';
import type { TerminalOutput } from '../output/output.ts';
import { interruptSignal } from '../output/progress.ts';
import { oneLine, sanitize, wrap } from '../output/text.ts';
import { formatDuration } from '../output/time.ts';
import { waitingLine } from '../run/progress.ts';
import { createIdShortener } from '../threads/find.ts';
import { findLoom, findNode } from './find.ts';
import { createGenerationProgress } from './progress.ts';

export interface LoomGenerateOptions {
  readonly number?: string;
  readonly maxTokens?: string;
  readonly model?: string;
  readonly temperature?: string;
  readonly seed?: string;
  readonly at?: string;
}

type GenerationResult = ContentOf<typeof GenerationFinished>;

/** Generates branches and shows them as they stream; Ctrl-C stops the model and keeps the text so far (W16). */
export async function generate(cli: Cli, name: string, options: LoomGenerateOptions): Promise<void> {
  const { out } = cli;
  const request = generateRequestOf(options);
  const signal = interruptSignal();
  const startedAt = performance.now();
  const { id, n, outcome, budgetLeft } = await withWorker(cli, async (client) => {
    const loom = await findLoom(client, name);
    const at = options.at === undefined ? undefined : await findNode(loom, options.at);
    const { head } = await loom.loom.path({ limit: 1 });
    const { events } = await loom.command('generate', { ...request, ...(at !== undefined && { at }) });
    const requests = events.map(readEvent<LoomEvent>).filter((event) => event.type === 'generation.requested');
    const { generation, n } = (requests[0] as EventOf<typeof GenerationRequested>).content;
    const budget = await budgetLeftOf(client);
    const result = await followGeneration(out, loom, { generation, n, head, signal, budget });
    return { id: loom.id, n, outcome: result, budgetLeft: await budgetLeftOf(client) };
  });
  const seconds = (performance.now() - startedAt) / 1000;
  if (out.json) out.value({ id, ...outcome });
  else printChoices(out, outcome, seconds, budgetLeft);
  if (outcome.error) throw generationFailure(withMissingCount(outcome.error, id, n, outcome));
}

/** Adds the command for the missing choices. It names the node, because the path has moved on since. */
function withMissingCount(
  error: NonNullable<GenerationResult['error']>,
  id: string,
  n: number,
  { at, choices }: GenerationResult,
) {
  const missing = n - choices.length;
  if (missing <= 0) return error;
  const retryCommand = `heddle loom generate ${id} -n ${missing}${at === 'root' ? '' : ` --at ${at}`}`;
  return { ...error, message: `${choices.length} of ${n} arrived. ${error.message} For the rest: ${retryCommand}` };
}

interface GenerationFollowOptions {
  readonly generation: string;
  readonly n: number;
  readonly head: string;
  readonly signal: AbortSignal;
  readonly budget: string | undefined;
}

async function followGeneration(
  out: TerminalOutput,
  loom: ThreadClient,
  { generation, n, head, signal, budget }: GenerationFollowOptions,
): Promise<GenerationResult> {
  const progress = createGenerationProgress(out, n, budget);
  const controller = new AbortController();
  const stop = () => {
    progress.setStatus('Stopping; the text so far is kept.');
    loom.command('stop', { generation }).catch((error) => controller.abort(error));
  };
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    for await (const item of loom.stream({ after: head, signal: controller.signal })) {
      progress.add(streamedTexts(item, generation));
      const news = newsOf(item, generation);
      if (news?.type === 'generation.waiting') progress.note(waitingLine(news.content));
      if (news?.type === 'generation.finished') return news.content;
      if (news?.type !== 'generation.failed') continue;
      if (signal.aborted) throw new Failure('stopped', 'Stopped before any text arrived. Nothing was changed.');
      throw generationFailure(news.content);
    }
    throw controller.signal.reason;
  } finally {
    progress.end();
    signal.removeEventListener('abort', stop);
    controller.abort();
  }
}

function streamedTexts({ live }: StreamItem, generation: string): readonly [number, number, string][] {
  const item = live as LoomLiveItem | undefined;
  return item?.type === 'generation.streamed' && item.content.generation === generation ? item.content.texts : [];
}

/** The news in an event about a generation that continues or has ended. */
function newsOf(
  { event: wireEvent }: StreamItem,
  generation: string,
): EventOf<typeof GenerationWaiting | typeof GenerationFinished | typeof GenerationFailed> | undefined {
  if (!wireEvent) return undefined;
  const event = readEvent<LoomEvent>(wireEvent);
  switch (event.type) {
    case 'generation.waiting':
    case 'generation.finished':
    case 'generation.failed':
      return event.content.generation === generation ? event : undefined;
    default:
      return undefined;
  }
}

/** Errors that a person can fix count as refusals; all others are failures. */
const REFUSALS = new Set(['budget_reached', 'malformed', 'unknown_model', 'context_too_small']);

function generationFailure({ code, message }: { readonly code: string; readonly message: string }): Failure {
  return new Failure(code, message, REFUSALS.has(code) ? EXIT.refused : EXIT.failed);
}

function printChoices(
  out: TerminalOutput,
  { choices, shown, model, usage: tokenUsage, cost, dropped }: GenerationResult,
  seconds: number,
  budgetLeft?: string,
): void {
  const { dim, bold } = out.colors;
  const shortId = createIdShortener(choices.map(({ node }) => node));
  for (const [i, { node, content, finish }] of choices.entries()) {
    const interruptedNote = finish === 'cancelled' || finish === 'failed' ? ', interrupted' : '';
    out.line(`${i === shown ? '●' : '○'} ${bold(shortId(node))} ${dim(`${oneLine(model)}${interruptedNote}`)}`);
    for (const line of wrap(sanitize(content) || '(nothing)', out.width - 2)) out.line(`  ${line}`);
  }
  if (dropped && dropped.nodes > 0) {
    out.note(`The text is too long for ${oneLine(model)}: it did not see the first ${dropped.nodes} nodes.`);
  }
  const figures = [
    tokenUsage &&
      `${tokenUsage.estimated ? 'about ' : ''}${formatNumber(tokenUsage.prompt)} tokens read, ${formatNumber(tokenUsage.generated)} written`,
    formatDuration(seconds),
    tokenUsage && seconds > 0 && `${(tokenUsage.generated / seconds).toFixed(0)} tokens/s`,
    cost !== undefined && cost > 0 && formatMoney(cost, out.currency),
    budgetLeft,
  ];
  out.note(dim(figures.filter(Boolean).join(', ')));
}

/** The remaining budget of the workspace, if it has one. */
async function budgetLeftOf(client: Client): Promise<string | undefined> {
  const { budgets, total, currency } = await client.models.usage();
  const { tokens, money: moneyLimit } = budgets.workspace;
  const parts = [
    moneyLimit !== undefined && formatMoney(moneyLimit - total.cost, currency),
    tokens !== undefined && `${formatNumber(Math.max(0, tokens - total.promptTokens - total.generatedTokens))} tokens`,
  ].filter(Boolean);
  return parts.length > 0 ? `${parts.join(' and ')} of the budget left` : undefined;
}

function generateRequestOf({ number, maxTokens, model, temperature, seed }: LoomGenerateOptions) {
  return {
    ...(number !== undefined && { n: parseInteger('-n', number) }),
    ...(maxTokens !== undefined && { max_tokens: parseInteger('--max-tokens', maxTokens) }),
    ...(model !== undefined && { model }),
    ...(temperature !== undefined && { temperature: parseDecimal(temperature, '--temperature') }),
    ...(seed !== undefined && { seed: parseInteger('--seed', seed) }),
  };
}
