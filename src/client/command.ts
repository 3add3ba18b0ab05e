import type { z } from 'zod';
import type { Modes } from '../core/modes.ts';
import type { SendableIn } from '../protocol/commands.ts';
import type { RequestBody, Routes, ThreadCommand } from '../protocol/routes.ts';
import type { Http } from './http.ts';

export interface CommandOptions {
  /** The command's id, for callers that choose it: sending the same id again is harmless. */
  readonly id?: string;
  readonly signal?: AbortSignal | undefined;
  /** Sent even if the page is being closed. */
  readonly keepalive?: boolean | undefined;
}

type CommandBody<Name extends ThreadCommand> = RequestBody<`POST /api/threads/:thread/commands/${Name}` & keyof Routes>;

/** Sends the commands of a thread of any kind. */
export function createCommand({ call }: Http, thread: string) {
  return <Name extends ThreadCommand>(
    name: Name,
    body: CommandBody<Name>,
    { id = newId(), ...options }: CommandOptions = {},
  ) =>
    call(`POST /api/threads/:thread/commands/${name as ThreadCommand}`, {
      params: { thread },
      body: body as never,
      id,
      ...options,
    });
}

export type CommandResult = Awaited<ReturnType<ReturnType<typeof createCommand>>>;

/** Sends the commands of one kind of thread, by the definitions of the kind itself. */
export type KindCommand<Kind extends keyof Modes> = <Name extends SendableIn<Kind>>(
  name: Name,
  body: z.input<InputOf<Modes[Kind]['commands'], Name>>,
  options?: CommandOptions,
) => Promise<CommandResult>;

type InputOf<Commands, Name extends keyof Commands> = Commands[Name] extends { readonly input: infer Input }
  ? Input
  : never;

export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
