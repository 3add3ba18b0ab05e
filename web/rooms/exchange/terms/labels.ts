import { numeral } from '../../../ui/numeral.ts';
import type { Terms } from '../queries.ts';

/** What each term is called on the page. */
export const TERM_WORDS: Readonly<Record<keyof Terms, string>> = {
  question: 'Question',
  auditor_spec: 'Auditor’s specification',
  mind_prompt: 'Mind prompt',
  observer_role: 'Observer’s role',
  minds: 'Minds',
  parallel: 'All minds of a round at once',
  auditor_model: 'Auditor’s model',
  audit_every: 'Rounds from audit to audit',
  policy: 'On a request for a restart',
  ask_after_audit: 'Wait for your answer after an audit',
  cluster_feed: 'Minds are told of clusters',
  restart: 'When a theme asks for a restart',
  active_pool_size: 'Thoughts that stay active',
  thought_display_count: 'Thoughts shown at once, at most',
  thought_display_chars: 'Characters of thoughts, at most',
  temperature: 'Temperature',
  budget: 'A run pauses when it has used',
};

export const TEXTS = ['question', 'mind_prompt', 'auditor_spec', 'observer_role'] as const;
export type TextTerm = (typeof TEXTS)[number];
export const SETTINGS = (Object.keys(TERM_WORDS) as (keyof Terms)[]).filter(
  (name): name is Exclude<keyof Terms, TextTerm> => !(TEXTS as readonly string[]).includes(name),
);

export const POLICIES = {
  pause: 'hold the rounds and ask',
  alert: 'tell, and go on',
  branch: 'branch by itself',
} as const;
export const ASKING = { structured: 'once a restart was answered', always: 'always', never: 'never' } as const;
export const RESTART_WORDS = {
  share: 'Part of the iterations, at least',
  themed: 'Part of the cluster about it, at least',
  iterations: 'Iterations, at least',
  rearm: 'May ask again below',
} as const;
export const BUDGET_WORDS = { rounds: 'Rounds', tokens: 'Tokens', money: 'Money', seconds: 'Seconds' } as const;

export function termNames(names: readonly string[]): string {
  return names.map((name) => TERM_WORDS[name as keyof Terms] ?? name).join(', ') || 'nothing';
}

/** A term as one reads it. */
export function termValue(terms: Terms, name: (typeof SETTINGS)[number]): string {
  switch (name) {
    case 'minds':
      return terms.minds.map(({ id, model }) => (model === null ? id : `${id} (${model})`)).join(', ');
    case 'policy':
      return POLICIES[terms.policy];
    case 'ask_after_audit':
      return ASKING[terms.ask_after_audit];
    case 'restart': {
      const { share, themed, iterations, rearm } = terms.restart;
      return `${percent(share)} of the iterations, ${iterations} at least; ${percent(themed)} of the cluster about it; again below ${percent(rearm)}`;
    }
    case 'budget': {
      const set = Object.entries(terms.budget).map(([unit, limit]) => `${numeral(limit ?? 0)} ${unit}`);
      return set.join(', ') || 'no limit';
    }
    case 'auditor_model':
      return terms.auditor_model ?? 'the one chosen for auditors';
    case 'temperature':
      return terms.temperature === null ? 'as the model has it' : String(terms.temperature);
    case 'parallel':
    case 'cluster_feed':
      return terms[name] ? 'yes' : 'no';
    default:
      return numeral(terms[name]);
  }
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
