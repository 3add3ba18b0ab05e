import type { ConversationCommand } from '../commands.ts';

/** What a command takes of an agent's hourly allowance (T23). */
export interface AllowanceUse {
  /** Threads it creates: forks and side channels are threads. */
  readonly threads: number;
  readonly invitations: number;
}

/** Undefined for a command that takes nothing of it. */
export function allowanceUseOf(command: { readonly name: string; readonly input: unknown }): AllowanceUse | undefined {
  const request = command as ConversationCommand;
  switch (request.name) {
    case 'create':
      return { threads: 1, invitations: request.input.invite.length };
    case 'fork':
      return { threads: 1, invitations: 0 };
    case 'side_open':
      return { threads: 1, invitations: request.input.members.length };
    case 'post':
      return request.input.type === 'control' && 'invite' in request.input.content
        ? { threads: 0, invitations: 1 }
        : undefined;
    default:
      return undefined;
  }
}
