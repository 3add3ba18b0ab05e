import type { Actor } from '../../core/event.ts';
import { isRefusal } from '../../core/refusal.ts';
import type { Command, State } from '../../core/workspace.ts';
import type { Work } from '../jobs.ts';

/** Does what is nobody's to decide: it ends rounds, and says that they wait. */
export const CLOCKWORK: Actor = { id: 'exchange', kind: 'automation' };

type Reported = Extract<Command, { name: 'mind_spoke' | 'audited' }>;

/** Hands a result in, once; what cannot be stored, such as text with a secret in it, is told as a fault. */
export async function report(work: Work<State, Command>, actor: Actor, id: string, command: Reported): Promise<void> {
  const handled = await work.handle(actor, command, id);
  if (!isRefusal(handled)) return;
  const { code, message } = handled.refusal;
  if (code === 'lease_lost' || code === 'command_reused' || code === 'forbidden') return;
  if (code === 'store_unavailable' || code === 'no_space' || code === 'conflict') throw new Error(message);
  const input = { ...command.input, result: { malformed: message } };
  await work.handle(actor, { ...command, input } as Reported, `${id}/refused`);
}
