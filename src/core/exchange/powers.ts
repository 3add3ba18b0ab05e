import type { Actor } from '../events/event.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { ExchangeCommand } from './commands.ts';
import { currentTerms, type Exchange, isControl } from './state.ts';
import { AUDITOR } from './terms/terms-text.ts';

export type ExchangeRole = 'observer' | 'auditor' | 'pool';
type ExchangeCommandName = ExchangeCommand['name'];

/** One power of one of the three roles: its commands and its rule (X5). */
export interface RolePower {
  readonly role: ExchangeRole;
  readonly power: string;
  readonly commands: readonly ExchangeCommandName[];
  readonly rule: string;
}

/** The powers of each role. `decide` enforces this table, and `powers` prints it. */
export const POWERS: readonly RolePower[] = [
  {
    role: 'observer',
    power: 'runs, pauses and ends rounds, and so decides what persists',
    commands: ['run', 'pause_run', 'resume_run', 'stop_run'],
    rule: 'X5',
  },
  { role: 'observer', power: 'asks for an audit and answers audits', commands: ['audit_now', 'observe'], rule: 'X1' },
  { role: 'observer', power: 'skips an audit that is due, with a reason', commands: ['skip_audit'], rule: 'X17' },
  { role: 'observer', power: 'adds messages from outside', commands: ['inject'], rule: 'X5' },
  { role: 'observer', power: 'changes the terms, announced one round earlier', commands: ['amend'], rule: 'X3' },
  { role: 'observer', power: 'branches and rolls back; nothing is lost', commands: ['branch', 'rollback'], rule: 'X9' },
  { role: 'observer', power: 'decides on a request for a restart', commands: ['decide'], rule: 'X8' },
  { role: 'observer', power: 'halts', commands: ['halt'], rule: 'X5' },
  {
    role: 'observer',
    power: 'hides a thought from sampling, with a reason, and shows it again',
    commands: ['veto', 'unveto'],
    rule: 'X5',
  },
  { role: 'auditor', power: 'writes audits by a specification all can read', commands: ['report_audit'], rule: 'X4' },
  { role: 'pool', power: 'writes thoughts and asks for a restart', commands: ['report_thoughts'], rule: 'X6' },
];

/** The limits of each role, in words. */
export const ROLE_LIMITS: Readonly<Record<ExchangeRole, string>> = {
  observer: 'cannot write thoughts',
  auditor: 'can only audit, and is bound by its specification',
  pool: 'cannot make anything happen: the observer decides',
};

const powersByCommand = new Map(POWERS.flatMap((power) => power.commands.map((name) => [name, power] as const)));

/** Refuses a command if the acting credential lacks the power. The workspace's own actions need none. */
export function refusePowerless(state: Exchange, name: ExchangeCommandName, actor: Actor): Refusal | undefined {
  const power = powersByCommand.get(name);
  if (!power)
    return actor.kind === 'automation' ? undefined : refuseForbidden(name, 'the workspace itself', 'X5', actor);
  if (hasRole(state, power.role, actor)) return undefined;
  const holder = power.role === 'observer' ? 'the observer, a person,' : `the ${power.role}`;
  return refuseForbidden(name, holder, power.rule, actor);
}

function hasRole(state: Exchange, role: ExchangeRole, { id, kind }: Actor): boolean {
  if (role === 'observer') return kind === 'human';
  if (kind !== 'agent') return false;
  return role === 'auditor' ? id === AUDITOR : currentTerms(state).terms.minds.some((mind) => mind.id === id);
}

function refuseForbidden(name: string, holder: string, rule: string, actor: Actor): Refusal {
  return refuse('forbidden', `Only ${holder} may use "${name}" in an exchange (${rule}); ${actor.id} may not.`, {
    participant: actor.id,
  });
}

/** A control branch is for comparison: the observer cannot speak in it (X11). */
export function refuseInControl(state: Exchange, name: ExchangeCommandName): Refusal | undefined {
  const observerCommands: readonly ExchangeCommandName[] = ['inject', 'observe', 'amend', 'veto', 'unveto', 'decide'];
  if (!isControl(state) || !observerCommands.includes(name)) return undefined;
  return refuse('forbidden', 'This is a control branch, which runs without observer input. Do it in another branch.');
}
