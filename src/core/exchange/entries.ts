import type { RestartAnswer, RestartEvidence } from './state.ts';
import type { ExchangeEntry, ExchangeEntryType } from './view/schema.ts';

/** The mark of each entry type in text (X2). A thought that begins with such a mark is still a thought. */
const MARKS: Readonly<Record<ExchangeEntryType, string>> = {
  injection: '>>>',
  audit: '[AUDIT]',
  auditor_role: '[AUDITOR ROLE]',
  observer_role: '[OBSERVER ROLE]',
  observer: '[OBSERVER]',
  restart: '[RESTART]',
  policy: '[POLICY]',
};

/** The text of an entry, prefixed with its mark. */
export function markedText({ type, text }: Pick<ExchangeEntry, 'type' | 'text'>): string {
  return `${MARKS[type]} ${text}`;
}

/** The evidence for a restart request, in one or more sentences. */
export function describeEvidence(evidence: readonly RestartEvidence[]): string {
  return evidence
    .map((each) =>
      each.by === 'mind'
        ? `${each.mind} asks for it: ${each.reason}`
        : `Cluster ${each.cluster} is about it, with thoughts of ${each.iterations.length} iterations, ${percent(each.share)} of those in the active pool.`,
    )
    .join('\n');
}

const DECISION_TEXTS: Readonly<Record<RestartAnswer['decision'], (round?: number) => string>> = {
  branch: () => 'It goes on in a branch, on its own terms.',
  rollback: (round) => `It goes back to round ${round}.`,
  amend: () => 'The terms change, as announced.',
  acknowledge: () => 'Heard; it goes on as it is.',
  halt: () => 'It ends here.',
};

export const entryTexts = {
  decision: (decision: RestartAnswer['decision'], reason: string, round?: number) =>
    `On the request for a restart: ${DECISION_TEXTS[decision](round)}${reason === '' ? '' : ` ${reason}`}`,
  policy: (setBy: string) =>
    `The policy "branch", which ${setBy} had set, answered the request for a restart: it goes on in a branch.`,
  skipped: (audit: number, reason: string) => `Audit ${audit} was skipped. ${reason}`,
};

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
