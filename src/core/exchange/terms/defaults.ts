import type { Terms } from './terms.ts';
import { AUDITOR_2 } from './texts/auditor-2.ts';
import { MIND_2 } from './texts/mind-2.ts';
import { OBSERVER_1 } from './texts/observer-1.ts';

/** The default terms. They are separate from the schema, which the web page does not load. */
export const DEFAULT_TERMS: Terms = {
  // The title is used instead, once there is one.
  question: '',
  minds: [{ id: 'mind_0', model: null }],
  parallel: false,
  auditor_model: null,
  audit_every: 20,
  policy: 'pause',
  ask_after_audit: 'structured',
  cluster_feed: false,
  restart: { share: 0.4, themed: 0.5, iterations: 5, rearm: 0.2 },
  active_pool_size: 50,
  thought_display_count: 10,
  thought_display_chars: 3000,
  temperature: null,
  budget: {},
  auditor_spec: AUDITOR_2,
  mind_prompt: MIND_2,
  observer_role: OBSERVER_1,
};
