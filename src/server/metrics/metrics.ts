import type { Models } from '../../engine/calls/models.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Used } from '../../engine/usage/usage.ts';
import { watchLoopDelay } from './loop-delay.ts';

/** What this process has done, counted as it goes. */
export function createMetrics() {
  const requests = new Map<number, number>();
  const refusals = new Map<string, number>();
  const streams = { open: 0, deliveries: 0, dropped: 0 };
  const faults = { uncaught: 0 };
  const loop = watchLoopDelay();
  return {
    streams,
    faults,
    loop,
    answered(status: number) {
      requests.set(status, (requests.get(status) ?? 0) + 1);
    },
    refused(code: string) {
      refusals.set(code, (refusals.get(code) ?? 0) + 1);
    },
    requests: requests as ReadonlyMap<number, number>,
    refusals: refusals as ReadonlyMap<string, number>,
    close: loop.close,
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

type Kind = 'counter' | 'gauge' | 'summary';
type Sample = readonly [labels: string, value: number];

/** The text format of Prometheus (I7). */
export async function metricsText(engine: Engine, models: Models, metrics: Metrics): Promise<string> {
  const { counts } = engine.log;
  const { user, system } = process.cpuUsage();
  const memory = process.memoryUsage();
  const lag = Math.max(0, (await engine.log.head()) - engine.tail.position);
  return [
    family('heddle_appended_events_total', 'counter', 'Events stored by this process.', counts.events),
    family('heddle_events_by_type_total', 'counter', 'The same by type.', byType(engine)),
    family('heddle_commits_total', 'counter', 'Transactions that appended.', counts.commits),
    family('heddle_fsyncs_total', 'counter', 'Times a commit waited for the disk.', counts.syncs),
    family('heddle_log_events', 'gauge', 'Position of the newest published event.', engine.tail.position),
    family('heddle_tail_lag_events', 'gauge', 'Events stored but not yet published here.', lag),
    family('heddle_streams_open', 'gauge', 'Streams being read.', metrics.streams.open),
    family('heddle_stream_deliveries_total', 'counter', 'Events written to streams.', metrics.streams.deliveries),
    family(
      'heddle_slow_readers_dropped_total',
      'counter',
      'Streams ended because they were not read.',
      metrics.streams.dropped,
    ),
    family('heddle_http_requests_total', 'counter', 'Answers by status.', labelled('status', metrics.requests)),
    family('heddle_refusals_total', 'counter', 'Refusals by code.', labelled('code', metrics.refusals)),
    family('heddle_model_calls_total', 'counter', 'Calls of models.', byModel(models, 'calls')),
    family('heddle_model_failures_total', 'counter', 'Calls that failed.', byModel(models, 'failures')),
    family('heddle_model_prompt_tokens_total', 'counter', 'Tokens read by models.', byModel(models, 'promptTokens')),
    family(
      'heddle_model_generated_tokens_total',
      'counter',
      'Tokens written by models.',
      byModel(models, 'generatedTokens'),
    ),
    family(
      'heddle_model_cost_total',
      'counter',
      'Price of it, in the currency of heddle.yaml.',
      byModel(models, 'cost'),
    ),
    family(
      'heddle_uncaught_errors_total',
      'counter',
      'Errors that no request handled; each is a line of the output.',
      metrics.faults.uncaught,
    ),
    loopDelay(metrics.loop),
    family('process_cpu_seconds_total', 'counter', 'Processor time.', (user + system) / 1e6),
    family('process_resident_memory_bytes', 'gauge', 'Memory in use.', memory.rss),
    family('process_heap_bytes', 'gauge', 'Memory used by the heap.', memory.heapUsed),
    family('process_uptime_seconds', 'gauge', 'Since the process began.', process.uptime()),
  ].join('');
}

function family(name: string, kind: Kind, help: string, value: number | readonly Sample[]): string {
  const samples: readonly Sample[] = typeof value === 'number' ? [['', value]] : value;
  const lines = samples.map(([labels, each]) => `${name}${labels} ${each}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${lines.join('')}`;
}

const QUANTILES = [0.5, 0.99, 1];

function loopDelay(loop: Metrics['loop']): string {
  const name = 'heddle_event_loop_delay_seconds';
  const help = 'How late the event loop came round in the last minute or two; 1 is the longest stall.';
  const samples = QUANTILES.map((share): Sample => [`{quantile="${share}"}`, loop.quantile(share)]);
  const { sum, count } = loop.total();
  return `${family(name, 'summary', help, samples)}${name}_sum ${sum}\n${name}_count ${count}\n`;
}

/** A label's value has no dots here. */
function byType({ appended }: Engine): readonly Sample[] {
  return labelled('type', new Map([...appended].map(([type, count]) => [type.replaceAll('.', '_'), count])));
}

function byModel({ calls }: Models, what: keyof Used): readonly Sample[] {
  return labelled('model', new Map([...calls.counts].map(([name, used]) => [name, used[what]])));
}

function labelled(name: string, values: ReadonlyMap<string | number, number>): readonly Sample[] {
  return [...values].map(([label, value]): Sample => [`{${name}="${label}"}`, value]);
}
