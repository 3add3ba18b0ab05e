import { setTimeout as delay } from 'node:timers/promises';
import { refuse } from '../../core/refusal.ts';
import type { RouteHandlers } from '../http/edge.ts';
import { DATA_HEADERS } from '../http/security.ts';
import { metricsText } from '../metrics/metrics.ts';
import { docsPage } from '../reference/docs-page.ts';
import { buildOpenApi } from '../reference/openapi.ts';
import type { RouteContext } from './context.ts';

const READY_TIMEOUT_MS = 2_000;

export function serviceHandlers({ engine, models, metrics, version }: RouteContext) {
  let openApiJson: string | undefined;
  let docs: ReturnType<typeof docsPage> | undefined;
  return {
    'GET /healthz': () => JSON.stringify({ status: 'ok', version }),

    async 'GET /readyz'() {
      const isReachable = await Promise.race([
        engine.log.head().then(
          () => true,
          () => false,
        ),
        delay(READY_TIMEOUT_MS, false, { ref: false }),
      ]);
      if (isReachable) return JSON.stringify({ status: 'ready' });
      return refuse('store_unavailable', 'The store cannot be read. Run "heddle doctor" to find out why.');
    },

    async 'GET /metrics'() {
      const headers = { ...DATA_HEADERS, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' };
      return { status: 200, headers, body: await metricsText(engine, models, metrics) };
    },

    'GET /openapi.json'() {
      openApiJson ??= JSON.stringify(buildOpenApi(version));
      return openApiJson;
    },

    'GET /docs'() {
      docs ??= docsPage(version);
      return docs;
    },
  } satisfies Partial<RouteHandlers>;
}
