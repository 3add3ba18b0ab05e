import type { TermValues } from '../../../../src/client/index.ts';
import { formatNumber } from '../../../../src/core/text/format-number.ts';

/** The label of each term on the page. */
export const TERM_LABELS: Readonly<Record<keyof TermValues, string>> = {
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
  budget: 'Pause after',
};

export const TEXT_FIELDS = ['question', 'mind_prompt', 'auditor_spec', 'observer_role'] as const;
export type TextTerm = (typeof TEXT_FIELDS)[number];
export const SETTING_FIELDS = (Object.keys(TERM_LABELS) as (keyof TermValues)[]).filter(
  (name): name is Exclude<keyof TermValues, TextTerm> => !(TEXT_FIELDS as readonly string[]).includes(name),
);

export const POLICY_LABELS = {
  pause: 'hold the rounds and ask',
  alert: 'tell, and go on',
  branch: 'branch by itself',
} as const;
export const ASK_LABELS = { structured: 'once a restart was answered', always: 'always', never: 'never' } as const;
export const RESTART_LABELS = {
  share: 'Part of the answers, at least',
  themed: 'Part of the cluster about it, at least',
  iterations: 'Answers, at least',
  rearm: 'May ask again below',
} as const;
export const BUDGET_LABELS = { rounds: 'Rounds', tokens: 'Tokens', money: 'Money', seconds: 'Seconds' } as const;

export function formatTermNames(names: readonly string[]): string {
  return names.map((name) => TERM_LABELS[name as keyof TermValues] ?? name).join(', ') || 'nothing';
}

/** Formats a term for reading. */
export function formatTerm(terms: TermValues, name: (typeof SETTING_FIELDS)[number]): string {
  switch (name) {
    case 'minds':
      return terms.minds.map(({ id, model }) => (model === null ? id : `${id} (${model})`)).join(', ');
    case 'policy':
      return POLICY_LABELS[terms.policy];
    case 'ask_after_audit':
      return ASK_LABELS[terms.ask_after_audit];
    case 'restart': {
      const { share, themed, iterations, rearm } = terms.restart;
      return `${percent(share)} of the answers, ${iterations} at least; ${percent(themed)} of the cluster about it; again below ${percent(rearm)}`;
    }
    case 'budget': {
      const limits = Object.entries(terms.budget).map(([unit, limit]) => `${formatNumber(limit ?? 0)} ${unit}`);
      return limits.join(', ') || 'no limit';
    }
    case 'auditor_model':
      return terms.auditor_model ?? 'the one chosen for auditors';
    case 'temperature':
      return terms.temperature === null ? 'as the model has it' : String(terms.temperature);
    case 'parallel':
    case 'cluster_feed':
      return terms[name] ? 'yes' : 'no';
    default:
      return formatNumber(terms[name]);
  }
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
