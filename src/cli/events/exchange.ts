import { asText, marked, told } from '../../core/exchange/entries.ts';
import { own } from '../../core/util/get-own.ts';
import { ROUNDS_ENDS } from '../logos/run.ts';
import { counted } from '../output/numbers.ts';
import { because, type Described, type Loose, note, pairs, said, type Tellers, waits } from './description.ts';

export const exchangeTellers: Tellers = {
  'terms.set': ({ version, set, effective, reason }) =>
    note(`set the terms, version ${version} from round ${effective}${because(reason)}${pairs(short(set))}`),
  'rounds.started': ({ run, rounds }) =>
    note(`let the minds think: run ${run}${rounds === undefined ? '' : `, ${counted(rounds, 'round')}`}`),
  'rounds.waiting': waits,
  'rounds.paused': (content) => note(`run ${content.run} is held${because(content.why)}`),
  'rounds.resumed': (content) => note(`let run ${content.run} go on`),
  'rounds.ended': (content) =>
    note(`run ${content.run} is over: ${own(ROUNDS_ENDS, content.reason) ?? content.reason}`),
  'mind.spoke': spoke,
  'call.late': (content) => note(`came too late in round ${content.round}, which changes nothing`),
  'round.ended': ({ round, before, after, audit_due, problem }) =>
    note(
      `round ${round} is over: ${counted(after - before, 'thought')}${audit_due ? ', an audit is due' : ''}${because(problem)}`,
    ),
  'injection.made': (content) => said('', marked({ type: 'injection', text: String(content.text) })),
  'observer.spoke': (content) =>
    said(
      content.audit === undefined ? '' : `on audit ${content.audit}`,
      marked({ type: 'observer', text: String(content.text) }),
    ),
  'audit.written': (content) =>
    said(`audit ${content.audit}, after round ${content.round}`, marked({ type: 'audit', text: String(content.text) })),
  'audit.failed': ({ audit, attempt, gave_up, problem }) =>
    note(`audit ${audit} failed (try ${attempt}${gave_up ? ', the last' : ''})${because(problem)}`),
  'audit.skipped': ({ audit, reason }) => note(`skipped audit ${audit}${because(reason)}`),
  'auditor.role': (content) => note(marked({ type: 'auditor_role', text: String(content.text) })),
  'observer.role': (content) => note(marked({ type: 'observer_role', text: String(content.text) })),
  'audit.asked': (content) => note(`asked for audit ${content.audit}`),
  'restart.detected': (content) => said('', marked({ type: 'restart', text: told(content.evidence ?? []) })),
  'restart.answered': ({ decision, reason, round, auto }) =>
    note(auto ? asText.policy(String(auto.set_by)) : asText.decision(decision, String(reason), round)),
  'branch.begun': ({ kind, from, reason }) =>
    note(
      `began this ${kind === 'control' ? 'control branch' : kind} after round ${from?.round} of ${from?.thread}${because(reason)}`,
    ),
  'branch.rolled_back': ({ thread, round, reason }) =>
    note(`went back to round ${round}, in ${thread}${because(reason)}`),
  'exchange.halted': (content) => note(`halted the exchange${because(content.reason)}`),
  'thought.vetoed': (content) => note(`hid thought ${content.thought}${because(content.reason)}`),
  'thought.unvetoed': (content) => note(`let thought ${content.thought} in again`),
};

function spoke(content: Loose): Described {
  const { round, outcome, thoughts, restart, problem } = content;
  if (outcome === 'thoughts') {
    const asks = restart === undefined ? '' : `\n\nIt asks for a restart: ${restart}`;
    return said(`round ${round}`, (thoughts ?? []).join('\n\n') + asks);
  }
  if (outcome === 'silence')
    return note(`was silent in round ${round}${restart === undefined ? '' : `; it asks for a restart: ${restart}`}`);
  return note(`${outcome === 'malformed' ? 'was not understood' : 'failed'} in round ${round}${because(problem)}`);
}

/** The long texts among the terms are only named; "logos terms" shows them. */
function short(set: Loose): Loose {
  return Object.fromEntries(
    Object.entries(set ?? {}).map(([name, value]) => [
      name,
      typeof value === 'string' && value.length > 60 ? 'changed' : value,
    ]),
  );
}
