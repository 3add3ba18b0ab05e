import type { Command } from '../commands.ts';

/** What a command takes of an agent's hourly allowance (T23). */
export interface Demand {
  /** Threads it creates: forks and side channels are threads. */
  readonly threads: number;
  readonly invitations: number;
}

/** Undefined for a command that takes nothing of it. */
export function demandOf(command: { readonly name: string; readonly input: unknown }): Demand | undefined {
  const wish = command as Command;
  switch (wish.name) {
    case 'create':
      return { threads: 1, invitations: wish.input.invite.length };
    case 'fork':
      return { threads: 1, invitations: 0 };
    case 'side_open':
      return { threads: 1, invitations: wish.input.members.length };
    case 'post':
      return wish.input.type === 'control' && 'invite' in wish.input.content
        ? { threads: 0, invitations: 1 }
        : undefined;
    default:
      return undefined;
  }
}
