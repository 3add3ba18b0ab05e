import { setTimeout as later } from 'node:timers/promises';
import { refuse } from '../../core/refusal.ts';
import type { Handlers } from '../http/edge.ts';
import { DATA_HEADERS } from '../http/security.ts';
import { metricsText } from '../metrics/metrics.ts';
import { docsPage } from '../reference/docs-page.ts';
import { openApi } from '../reference/openapi.ts';
import type { Parts } from './context.ts';

type ServiceRoutes = Pick<
  Handlers,
  'GET /healthz' | 'GET /readyz' | 'GET /metrics' | 'GET /openapi.json' | 'GET /docs'
>;

const READY_WITHIN_MS = 2_000;

export function serviceRoutes({ engine, models, metrics, version }: Parts): ServiceRoutes {
  let document: string | undefined;
  let page: ReturnType<typeof docsPage> | undefined;
  return {
    'GET /healthz': () => JSON.stringify({ status: 'ok', version }),

    async 'GET /readyz'() {
      const answered = await Promise.race([
        engine.log.head().then(
          () => true,
          () => false,
        ),
        later(READY_WITHIN_MS, false, { ref: false }),
      ]);
      if (answered) return JSON.stringify({ status: 'ready' });
      return refuse('store_unavailable', 'The store cannot be read. "heddle doctor" says why.');
    },

    async 'GET /metrics'() {
      const headers = { ...DATA_HEADERS, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' };
      return { status: 200, headers, body: await metricsText(engine, models, metrics) };
    },

    'GET /openapi.json'() {
      document ??= JSON.stringify(openApi(version));
      return document;
    },

    'GET /docs'() {
      page ??= docsPage(version);
      return page;
    },
  };
}
