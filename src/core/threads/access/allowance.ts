import type { ConversationCommand } from '../commands.ts';

/** The part of an agent's hourly allowance that a command uses (T23). */
export interface AllowanceUse {
  /** Threads that the command creates, including forks and side channels. */
  readonly threads: number;
  readonly invitations: number;
  /** Bytes of new files. */
  readonly uploads?: number;
}

/** Undefined for a command that uses none of the allowance. */
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
