import type { Actor } from '../events/event.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { ExchangeCommand } from './commands.ts';
import { type Exchange, isControl, termsNow } from './state.ts';
import { AUDITOR } from './terms/terms.ts';

export type Role = 'observer' | 'auditor' | 'pool';
type Name = ExchangeCommand['name'];

/** One thing that one of the three may do, by which commands, under which rule (X5). */
export interface Power {
  readonly role: Role;
  readonly power: string;
  readonly commands: readonly Name[];
  readonly rule: string;
}

/** Who may do what: `decide` goes by this table, and `powers` prints it. */
export const POWERS: readonly Power[] = [
  {
    role: 'observer',
    power: 'lets rounds run, holds and ends them, and so decides what persists',
    commands: ['run_rounds', 'pause_rounds', 'resume_rounds', 'stop_rounds'],
    rule: 'X5',
  },
  { role: 'observer', power: 'asks for an audit and answers audits', commands: ['audit_now', 'observe'], rule: 'X1' },
  { role: 'observer', power: 'skips an audit that is due, with a reason', commands: ['skip_audit'], rule: 'X17' },
  { role: 'observer', power: 'adds messages from outside', commands: ['inject'], rule: 'X5' },
  { role: 'observer', power: 'changes the terms, announced a round before', commands: ['amend'], rule: 'X3' },
  { role: 'observer', power: 'branches and rolls back; nothing is lost', commands: ['branch', 'rollback'], rule: 'X9' },
  { role: 'observer', power: 'decides on a request for a restart', commands: ['decide'], rule: 'X8' },
  { role: 'observer', power: 'halts', commands: ['halt'], rule: 'X5' },
  {
    role: 'observer',
    power: 'hides a thought from sampling, with a reason, and shows it again',
    commands: ['veto', 'unveto'],
    rule: 'X5',
  },
  { role: 'auditor', power: 'writes audits by a specification all can read', commands: ['audited'], rule: 'X4' },
  { role: 'pool', power: 'writes thoughts and asks for a restart', commands: ['mind_spoke'], rule: 'X6' },
];

/** What each of them cannot do, in a sentence. */
export const LIMITS: Readonly<Record<Role, string>> = {
  observer: 'cannot write thoughts',
  auditor: 'can only audit, and is bound by its specification',
  pool: 'cannot make anything happen: what follows is the observer’s to decide',
};

const byCommand = new Map(POWERS.flatMap((power) => power.commands.map((name) => [name, power] as const)));

/** Whether the credential that acts has the power; what the workspace does itself has none to ask for. */
export function powerless(state: Exchange, name: Name, actor: Actor): Refusal | undefined {
  const power = byCommand.get(name);
  if (!power) return actor.kind === 'automation' ? undefined : forbidden(name, 'the workspace itself', 'X5', actor);
  if (hasRole(state, power.role, actor)) return undefined;
  const who = power.role === 'observer' ? 'the observer, a person,' : `the ${power.role}`;
  return forbidden(name, who, power.rule, actor);
}

function hasRole(state: Exchange, role: Role, { id, kind }: Actor): boolean {
  if (role === 'observer') return kind === 'human';
  if (kind !== 'agent') return false;
  return role === 'auditor' ? id === AUDITOR : termsNow(state).terms.minds.some((mind) => mind.id === id);
}

function forbidden(name: string, who: string, rule: string, actor: Actor): Refusal {
  return refuse('forbidden', `Only ${who} may do "${name}" in an exchange (${rule}); ${actor.id} may not.`, {
    participant: actor.id,
  });
}

/** A control branch is one to compare with: the observer says nothing in it (X11). */
export function untouched(state: Exchange, name: Name): Refusal | undefined {
  const speaks: readonly Name[] = ['inject', 'observe', 'amend', 'veto', 'unveto', 'decide'];
  if (!isControl(state) || !speaks.includes(name)) return undefined;
  return refuse(
    'forbidden',
    'This is a control branch: it runs without observer input, to be compared with. Do it in another branch.',
  );
}
