import type { Models } from '../../engine/calls/models.ts';
import type { Engine } from '../../engine/engine.ts';
import type { UsageTotals } from '../../engine/usage/usage.ts';
import { watchLoopDelay } from './loop-delay.ts';

/** Counters of this process. */
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
    countResponse(status: number) {
      requests.set(status, (requests.get(status) ?? 0) + 1);
    },
    countRefusal(code: string) {
      refusals.set(code, (refusals.get(code) ?? 0) + 1);
    },
    requests: requests as ReadonlyMap<number, number>,
    refusals: refusals as ReadonlyMap<string, number>,
    close: loop.close,
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

type MetricKind = 'counter' | 'gauge' | 'summary';
type MetricSample = readonly [labels: string, value: number];

/** The text format of Prometheus (I7). */
export async function metricsText(engine: Engine, models: Models, metrics: Metrics): Promise<string> {
  const { counts } = engine.log;
  const { user, system } = process.cpuUsage();
  const memory = process.memoryUsage();
  const lag = Math.max(0, (await engine.log.head()) - engine.tail.position);
  return [
    formatMetric('heddle_appended_events_total', 'counter', 'Events stored by this process.', counts.events),
    formatMetric('heddle_events_by_type_total', 'counter', 'The same by type.', eventsByType(engine)),
    formatMetric('heddle_commits_total', 'counter', 'Transactions that appended.', counts.commits),
    formatMetric('heddle_fsyncs_total', 'counter', 'Times a commit waited for the disk.', counts.syncs),
    formatMetric('heddle_log_events', 'gauge', 'Position of the newest published event.', engine.tail.position),
    formatMetric('heddle_tail_lag_events', 'gauge', 'Events stored but not yet published here.', lag),
    formatMetric('heddle_streams_open', 'gauge', 'Streams being read.', metrics.streams.open),
    formatMetric('heddle_stream_deliveries_total', 'counter', 'Events written to streams.', metrics.streams.deliveries),
    formatMetric(
      'heddle_slow_readers_dropped_total',
      'counter',
      'Streams ended because they were not read.',
      metrics.streams.dropped,
    ),
    formatMetric(
      'heddle_http_requests_total',
      'counter',
      'Answers by status.',
      labelSamples('status', metrics.requests),
    ),
    formatMetric('heddle_refusals_total', 'counter', 'Refusals by code.', labelSamples('code', metrics.refusals)),
    formatMetric('heddle_model_calls_total', 'counter', 'Calls of models.', usageByModel(models, 'calls')),
    formatMetric('heddle_model_failures_total', 'counter', 'Calls that failed.', usageByModel(models, 'failures')),
    formatMetric(
      'heddle_model_prompt_tokens_total',
      'counter',
      'Tokens read by models.',
      usageByModel(models, 'promptTokens'),
    ),
    formatMetric(
      'heddle_model_generated_tokens_total',
      'counter',
      'Tokens written by models.',
      usageByModel(models, 'generatedTokens'),
    ),
    formatMetric(
      'heddle_model_cost_total',
      'counter',
      'Price of it, in the currency of heddle.yaml.',
      usageByModel(models, 'cost'),
    ),
    formatMetric(
      'heddle_uncaught_errors_total',
      'counter',
      'Errors that no request handled; each is a line of the output.',
      metrics.faults.uncaught,
    ),
    formatLoopDelay(metrics.loop),
    formatMetric('process_cpu_seconds_total', 'counter', 'Processor time.', (user + system) / 1e6),
    formatMetric('process_resident_memory_bytes', 'gauge', 'Memory in use.', memory.rss),
    formatMetric('process_heap_bytes', 'gauge', 'Memory used by the heap.', memory.heapUsed),
    formatMetric('process_uptime_seconds', 'gauge', 'Since the process began.', process.uptime()),
  ].join('');
}

function formatMetric(name: string, kind: MetricKind, help: string, value: number | readonly MetricSample[]): string {
  const samples: readonly MetricSample[] = typeof value === 'number' ? [['', value]] : value;
  const lines = samples.map(([labels, sample]) => `${name}${labels} ${sample}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${lines.join('')}`;
}

const QUANTILES = [0.5, 0.99, 1];

function formatLoopDelay(loop: Metrics['loop']): string {
  const name = 'heddle_event_loop_delay_seconds';
  const help = 'How late the event loop came round in the last minute or two; 1 is the longest stall.';
  const samples = QUANTILES.map((share): MetricSample => [`{quantile="${share}"}`, loop.quantile(share)]);
  const { sum, count } = loop.total();
  return `${formatMetric(name, 'summary', help, samples)}${name}_sum ${sum}\n${name}_count ${count}\n`;
}

/** Event counts by type; dots in a type become underscores in the label. */
function eventsByType({ appendCounts }: Engine): readonly MetricSample[] {
  return labelSamples('type', new Map([...appendCounts].map(([type, count]) => [type.replaceAll('.', '_'), count])));
}

function usageByModel({ calls }: Models, field: keyof UsageTotals): readonly MetricSample[] {
  return labelSamples('model', new Map([...calls.counts].map(([name, usage]) => [name, usage[field]])));
}

function labelSamples(name: string, values: ReadonlyMap<string | number, number>): readonly MetricSample[] {
  return [...values].map(([label, value]): MetricSample => [`{${name}="${label}"}`, value]);
}
