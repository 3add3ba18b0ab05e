import type { TermsVersionItem, TermValues } from '../../../../src/client/index.ts';
import { formatNumber } from '../../../../src/core/text/format-number.ts';

/** The label of each term on the page. */
export const TERM_LABELS: Readonly<Record<keyof TermValues, string>> = {
  question: 'Question',
  auditor_spec: 'Auditor’s specification',
  mind_prompt: 'Mind prompt',
  observer_role: 'Observer’s role',
  minds: 'Minds',
  parallel: 'All minds of a round at once',
  auditor_model: 'Auditor',
  audit_every: 'Audit every (rounds)',
  policy: 'On a restart request',
  ask_after_audit: 'Pause for your answer after an audit',
  cluster_feed: 'Tell the minds about clusters',
  restart: 'When a theme asks for a restart',
  active_pool_size: 'Active thoughts',
  thought_display_count: 'Thoughts shown to a mind, at most',
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
  pause: 'Pause and ask me',
  alert: 'Tell me and continue',
  branch: 'Branch automatically',
} as const;
export const ASK_LABELS = {
  structured: 'After the first restart request',
  always: 'Always',
  never: 'Never',
} as const;
export const RESTART_LABELS = {
  share: 'Share of the answers, at least',
  themed: 'Share of the cluster that asks for it, at least',
  iterations: 'Answers, at least',
  rearm: 'May ask again below',
} as const;
export const BUDGET_LABELS = { rounds: 'Rounds', tokens: 'Tokens', money: 'Money', seconds: 'Seconds' } as const;
export const DEFAULT_MODEL_LABEL = 'Default model';

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
      return `${percent(share)} of the answers, at least ${iterations}; ${percent(themed)} of the cluster about it; again below ${percent(rearm)}`;
    }
    case 'budget': {
      const limits = Object.entries(terms.budget).map(([unit, limit]) => `${formatNumber(limit ?? 0)} ${unit}`);
      return limits.join(', ') || 'no limit';
    }
    case 'auditor_model':
      return terms.auditor_model ?? DEFAULT_MODEL_LABEL;
    case 'temperature':
      return terms.temperature === null ? 'model’s default' : String(terms.temperature);
    case 'parallel':
    case 'cluster_feed':
      return terms[name] ? 'yes' : 'no';
    default:
      return formatNumber(terms[name]);
  }
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

export function describeEffect({ announced, effective }: Pick<TermsVersionItem, 'announced' | 'effective'>): string {
  if (announced === effective)
    return effective === 1 ? 'in effect from the beginning' : `in effect from round ${effective}`;
  return `announced in round ${announced}, in effect from round ${effective}`;
}
