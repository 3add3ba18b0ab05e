import type { Models } from '../../engine/calls/models.ts';
import type { Engine } from '../../engine/engine.ts';
import type { UsageTotals } from '../../engine/usage/usage.ts';
import { watchLoopDelay } from './loop-delay.ts';

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

type MetricSample = readonly [labels: string, value: number];

/** The text format of Prometheus (I7). */
export async function metricsText(engine: Engine, models: Models, metrics: Metrics): Promise<string> {
  const { counts } = engine.log;
  const { user, system } = process.cpuUsage();
  const memory = process.memoryUsage();
  const lag = Math.max(0, (await engine.log.head()) - engine.tail.position);
  return [
    counter('heddle_appended_events_total', 'Events stored by this process.', counts.events),
    counter('heddle_events_by_type_total', 'The same by type.', eventsByType(engine)),
    counter('heddle_commits_total', 'Transactions that appended.', counts.commits),
    counter('heddle_fsyncs_total', 'Disk syncs of commits.', counts.syncs),
    gauge('heddle_log_events', 'Position of the newest published event.', engine.tail.position),
    gauge('heddle_tail_lag_events', 'Events stored but not yet published here.', lag),
    gauge('heddle_streams_open', 'Streams being read.', metrics.streams.open),
    counter('heddle_stream_deliveries_total', 'Events written to streams.', metrics.streams.deliveries),
    counter('heddle_slow_readers_dropped_total', 'Streams ended because they were not read.', metrics.streams.dropped),
    counter('heddle_http_requests_total', 'Answers by status.', labelSamples('status', metrics.requests)),
    counter('heddle_refusals_total', 'Refusals by code.', labelSamples('code', metrics.refusals)),
    counter('heddle_model_calls_total', 'Calls of models.', usageByModel(models, 'calls')),
    counter('heddle_model_failures_total', 'Calls that failed.', usageByModel(models, 'failures')),
    counter('heddle_model_prompt_tokens_total', 'Tokens read by models.', usageByModel(models, 'promptTokens')),
    counter(
      'heddle_model_generated_tokens_total',
      'Tokens written by models.',
      usageByModel(models, 'generatedTokens'),
    ),
    counter('heddle_model_cost_total', 'Cost of models, in the currency of heddle.yaml.', usageByModel(models, 'cost')),
    counter(
      'heddle_uncaught_errors_total',
      'Errors that no request handled; each is a line of the output.',
      metrics.faults.uncaught,
    ),
    formatLoopDelay(metrics.loop),
    counter('process_cpu_seconds_total', 'Processor time.', (user + system) / 1e6),
    gauge('process_resident_memory_bytes', 'Memory in use.', memory.rss),
    gauge('process_heap_bytes', 'Memory used by the heap.', memory.heapUsed),
    gauge('process_uptime_seconds', 'Since the process began.', process.uptime()),
  ].join('');
}

type MetricValue = number | readonly MetricSample[];

function counter(name: string, help: string, value: MetricValue): string {
  return formatMetric(name, 'counter', help, value);
}

function gauge(name: string, help: string, value: number): string {
  return formatMetric(name, 'gauge', help, value);
}

function formatMetric(name: string, kind: 'counter' | 'gauge' | 'summary', help: string, value: MetricValue): string {
  const samples: readonly MetricSample[] = typeof value === 'number' ? [['', value]] : value;
  const lines = samples.map(([labels, sample]) => `${name}${labels} ${sample}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${lines.join('')}`;
}

const QUANTILES = [0.5, 0.99, 1];

function formatLoopDelay(loop: Metrics['loop']): string {
  const name = 'heddle_event_loop_delay_seconds';
  const help = 'Event loop delay in the last minute or two; 1 is the longest stall.';
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
