import type { ContentOf, EventOf } from '../events/define.ts';
import {
  asMessage,
  asNote,
  type DescribersOf,
  describeWaiting,
  type EventDescription,
  formatFields,
  reasonSuffix,
} from '../events/description.ts';
import { pluralize } from '../text/pluralize.ts';
import { getOwn } from '../util/get-own.ts';
import { describeEvidence, entryTexts, markedText } from './entries.ts';
import type { exchangeEvents, MindSpoke, TermsSet } from './events.ts';

/** Why rounds ended, as the second part of a sentence, by the reason in the log. */
export const ROUNDS_END_REASONS: Readonly<Record<string, string>> = {
  done: 'all rounds are done',
  stopped: 'they were stopped',
  replaced: 'another run was started',
  halted: 'the exchange was halted',
  branched: 'it continues in a branch',
  rolled_back: 'it continues from an earlier round, in a branch',
};

export const exchangeDescribers: DescribersOf<EventOf<(typeof exchangeEvents)[number]>> = {
  'terms.set': ({ version, set, effective, reason }) =>
    asNote(
      `set the terms, version ${version} from round ${effective}${reasonSuffix(reason)}${formatFields(shortenTerms(set))}`,
    ),
  'rounds.started': ({ run, rounds }) =>
    asNote(`let the minds think: run ${run}${rounds === undefined ? '' : `, ${pluralize(rounds, 'round')}`}`),
  'rounds.waiting': describeWaiting,
  'rounds.paused': (content) => asNote(`run ${content.run} is paused${reasonSuffix(content.why)}`),
  'rounds.resumed': (content) => asNote(`resumed run ${content.run}`),
  'rounds.ended': (content) =>
    asNote(`run ${content.run} is over: ${getOwn(ROUNDS_END_REASONS, content.reason) ?? content.reason}`),
  'mind.spoke': describeMindSpoke,
  'call.late': (content) => asNote(`finished too late in round ${content.round}; it was kept but changes nothing`),
  'round.ended': ({ round, before, after, audit_due, problem }) =>
    asNote(
      `round ${round} is over: ${pluralize(after - before, 'thought')}${audit_due ? ', an audit is due' : ''}${reasonSuffix(problem)}`,
    ),
  'injection.made': (content) => asMessage('', markedText({ type: 'injection', text: content.text })),
  'observer.spoke': (content) =>
    asMessage(
      content.audit === undefined ? '' : `on audit ${content.audit}`,
      markedText({ type: 'observer', text: content.text }),
    ),
  'audit.written': (content) =>
    asMessage(
      `audit ${content.audit}, after round ${content.round}`,
      markedText({ type: 'audit', text: content.text }),
    ),
  'audit.failed': ({ audit, attempt, gave_up, problem }) =>
    asNote(`audit ${audit} failed (try ${attempt}${gave_up ? ', the last' : ''})${reasonSuffix(problem)}`),
  'audit.skipped': ({ audit, reason }) => asNote(`skipped audit ${audit}${reasonSuffix(reason)}`),
  'auditor.role': (content) => asNote(markedText({ type: 'auditor_role', text: content.text })),
  'observer.role': (content) => asNote(markedText({ type: 'observer_role', text: content.text })),
  'audit.asked': (content) => asNote(`asked for audit ${content.audit}`),
  'restart.detected': (content) =>
    asMessage('', markedText({ type: 'restart', text: describeEvidence(content.evidence) })),
  'restart.answered': ({ decision, reason, round, auto }) =>
    asNote(auto ? entryTexts.policy(auto.set_by) : entryTexts.decision(decision, reason, round)),
  'branch.begun': ({ kind, from, reason }) =>
    asNote(
      `began this ${kind === 'control' ? 'control branch' : kind} after round ${from.round} of ${from.thread}${reasonSuffix(reason)}`,
    ),
  'branch.rolled_back': ({ thread, round, reason }) =>
    asNote(`rolled back to round ${round}, in ${thread}${reasonSuffix(reason)}`),
  'exchange.halted': (content) => asNote(`halted the exchange${reasonSuffix(content.reason)}`),
  'thought.vetoed': (content) => asNote(`hid thought ${content.thought}${reasonSuffix(content.reason)}`),
  'thought.unvetoed': (content) => asNote(`showed thought ${content.thought} again`),
};

function describeMindSpoke({
  round,
  outcome,
  thoughts,
  restart,
  problem,
}: ContentOf<typeof MindSpoke>): EventDescription {
  if (outcome === 'thoughts') {
    const restartNote = restart === undefined ? '' : `\n\nIt asks for a restart: ${restart}`;
    return asMessage(`round ${round}`, thoughts.join('\n\n') + restartNote);
  }
  if (outcome === 'silence')
    return asNote(`was silent in round ${round}${restart === undefined ? '' : `; it asks for a restart: ${restart}`}`);
  return asNote(
    `${outcome === 'malformed' ? 'was not understood' : 'failed'} in round ${round}${reasonSuffix(problem)}`,
  );
}

/** Shows only the names of long terms; "logos terms" prints their text. */
function shortenTerms(set: ContentOf<typeof TermsSet>['set']): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(set).map(([name, value]) => [
      name,
      typeof value === 'string' && value.length > 60 ? 'changed' : value,
    ]),
  );
}
