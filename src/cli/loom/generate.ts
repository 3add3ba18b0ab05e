import type { Client, StreamItem, WireEvent } from '../../client/index.ts';
import { formatMoney } from '../../core/text/money.ts';
import type { Cli } from '../cli.ts';
import { withWorker } from '../connect/client.ts';
import { EXIT, Failure, usage } from '../failure.ts';
import { count } from '../output/figures.ts';
import type { Output } from '../output/output.ts';
import { untilInterrupted } from '../output/progress.ts';
import { oneLine, visible, wrap } from '../output/text.ts';
import { duration } from '../output/time.ts';
import { waitingLine } from '../run/progress.ts';
import { loomOf, nodeOf, shortNodes } from './find.ts';
import { createGrowing } from './progress.ts';

type Loom = ReturnType<Client['thread']>;

export interface GenerateOptions {
  readonly number?: string;
  readonly maxTokens?: string;
  readonly model?: string;
  readonly temperature?: string;
  readonly seed?: string;
  readonly at?: string;
}

interface Choice {
  readonly node: string;
  readonly content: string;
  readonly finish: 'stop' | 'length' | 'cancelled' | 'failed';
}

interface Finished {
  readonly generation: string;
  readonly at: string;
  readonly model: string;
  readonly choices: readonly Choice[];
  /** Which of them is on the path; without it, the first. */
  readonly shown?: number;
  readonly usage?: { readonly prompt: number; readonly generated: number; readonly estimated?: true };
  readonly cost?: number;
  readonly dropped?: { readonly nodes: number };
  readonly error?: { readonly code: string; readonly message: string };
}

/** Branches from a model, as they come; Ctrl-C stops it and keeps what came (W16). */
export async function generate(cli: Cli, name: string, options: GenerateOptions): Promise<void> {
  const { out } = cli;
  const wish = wishOf(options);
  const signal = untilInterrupted();
  const began = performance.now();
  const { id, n, finished, left } = await withWorker(cli, async (client) => {
    const loom = await loomOf(client, name);
    const at = options.at === undefined ? undefined : await nodeOf(loom, options.at);
    const { head } = await loom.loom.path({ limit: 1 });
    const { events } = await loom.command('generate', { ...wish, ...(at !== undefined && { at }) });
    const asked = events.find(({ type }) => type === 'generation.requested') as WireEvent;
    const { generation, n } = asked.content as { generation: string; n: number };
    const budget = await leftOf(client);
    const done = await follow(out, loom, { generation, n, head, signal, budget });
    return { id: loom.id, n, finished: done, left: await leftOf(client) };
  });
  const seconds = (performance.now() - began) / 1000;
  if (out.json) out.value({ id, ...finished });
  else show(out, finished, seconds, left);
  if (finished.error) throw failure(withMissing(finished.error, id, n, finished));
}

/** The path has gone on meanwhile: the same command again would go on from there. */
function withMissing(error: NonNullable<Finished['error']>, id: string, n: number, { at, choices }: Finished) {
  const missing = n - choices.length;
  if (missing <= 0) return error;
  const rest = `heddle loom generate ${id} -n ${missing}${at === 'root' ? '' : ` --at ${at}`}`;
  return { ...error, message: `${choices.length} of ${n} came. ${error.message} For the rest: ${rest}` };
}

interface Following {
  readonly generation: string;
  readonly n: number;
  readonly head: string;
  readonly signal: AbortSignal;
  readonly budget: string | undefined;
}

async function follow(out: Output, loom: Loom, { generation, n, head, signal, budget }: Following): Promise<Finished> {
  const growing = createGrowing(out, n, budget);
  const over = new AbortController();
  const stop = () => {
    growing.say('Stopping; what came is kept.');
    loom.command('stop', { generation }).catch((error) => over.abort(error));
  };
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    for await (const item of loom.stream({ after: head, signal: over.signal })) {
      growing.add(piecesOf(item, generation));
      const wait = waitOf(item, generation);
      if (wait) growing.note(waitingLine(wait));
      const end = endOf(item, generation);
      if (end && 'choices' in end) return end;
      if (end && signal.aborted) throw new Failure('stopped', 'Stopped before anything came. The text is as it was.');
      if (end) throw failure(end);
    }
    throw over.signal.reason;
  } finally {
    growing.end();
    signal.removeEventListener('abort', stop);
    over.abort();
  }
}

function piecesOf({ live }: StreamItem, generation: string): readonly [number, number, string][] {
  if (live?.type !== 'generation.streamed') return [];
  const content = live.content as { generation: string; texts: [number, number, string][] };
  return content.generation === generation ? content.texts : [];
}

function waitOf({ event }: StreamItem, generation: string): { until: string; why: string } | undefined {
  if (event?.type !== 'generation.waiting') return undefined;
  const content = event.content as { generation: string; until: string; why: string };
  return content.generation === generation ? content : undefined;
}

function endOf({ event }: StreamItem, generation: string): Finished | { code: string; message: string } | undefined {
  if (event?.type !== 'generation.finished' && event?.type !== 'generation.failed') return undefined;
  const content = event.content as unknown as Finished;
  return content.generation === generation ? content : undefined;
}

/** What a person can do something about is a refusal; the rest failed. */
const REFUSALS = new Set(['budget_reached', 'malformed', 'unknown_model', 'context_too_small']);

function failure({ code, message }: { readonly code: string; readonly message: string }): Failure {
  return new Failure(code, message, REFUSALS.has(code) ? EXIT.refused : EXIT.failed);
}

function show(
  out: Output,
  { choices, shown = 0, model, usage: used, cost, dropped }: Finished,
  seconds: number,
  left?: string,
): void {
  const { dim, bold } = out.colors;
  const short = shortNodes(choices.map(({ node }) => node));
  for (const [i, { node, content, finish }] of choices.entries()) {
    const early = finish === 'cancelled' || finish === 'failed' ? ', interrupted' : '';
    out.line(`${i === shown ? '●' : '○'} ${bold(short(node))} ${dim(`${oneLine(model)}${early}`)}`);
    for (const line of wrap(visible(content) || '(nothing)', out.width - 2)) out.line(`  ${line}`);
  }
  if (dropped && dropped.nodes > 0) {
    out.note(`The text is longer than ${oneLine(model)} can read: it did not see the first ${dropped.nodes} nodes.`);
  }
  const figures = [
    used && `${used.estimated ? 'about ' : ''}${count(used.prompt)} tokens read, ${count(used.generated)} written`,
    duration(seconds),
    used && seconds > 0 && `${(used.generated / seconds).toFixed(0)} tokens/s`,
    cost !== undefined && cost > 0 && formatMoney(cost),
    left,
  ];
  out.note(dim(figures.filter(Boolean).join(', ')));
}

/** What the workspace's budget still allows, if it has one. */
async function leftOf(client: Client): Promise<string | undefined> {
  const { budgets, total } = await client.models.usage();
  const { tokens, money: most } = budgets.workspace;
  const parts = [
    most !== undefined && formatMoney(most - total.cost),
    tokens !== undefined && `${count(Math.max(0, tokens - total.promptTokens - total.generatedTokens))} tokens`,
  ].filter(Boolean);
  return parts.length > 0 ? `${parts.join(' and ')} of the budget left` : undefined;
}

function wishOf({ number, maxTokens, model, temperature, seed }: GenerateOptions) {
  return {
    ...(number !== undefined && { n: whole('-n', number) }),
    ...(maxTokens !== undefined && { max_tokens: whole('--max-tokens', maxTokens) }),
    ...(model !== undefined && { model }),
    ...(temperature !== undefined && { temperature: decimal('--temperature', temperature) }),
    ...(seed !== undefined && { seed: whole('--seed', seed) }),
  };
}

function whole(option: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw usage(`"${option} ${text}" should be a whole number.`);
}

function decimal(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw usage(`"${option} ${text}" should be a number.`);
}
