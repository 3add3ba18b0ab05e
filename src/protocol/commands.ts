import { z } from 'zod';
import type { ModeCommand, ModeCommands } from '../core/mode.ts';
import { allModes, type Modes } from '../core/modes.ts';
import { commandResult } from './wire.ts';

type SendableCommand<Commands extends ModeCommands> = {
  [Name in keyof Commands & string]: Commands[Name]['access'] extends 'internal' ? never : Name;
}[keyof Commands & string];
/** The commands of a kind that clients may send. */
export type SendableIn<Kind extends keyof Modes> = SendableCommand<Modes[Kind]['commands']>;
/** The input of a command: of each kind of thread that has one of this name. */
type InputOf<Name, Kind extends keyof Modes = keyof Modes> = Kind extends keyof Modes
  ? Name extends keyof Modes[Kind]['commands']
    ? Modes[Kind]['commands'][Name] extends { readonly input: infer Input }
      ? Input
      : never
    : never
  : never;

type ModeCommandRoutes = {
  [Name in { [Kind in keyof Modes]: SendableIn<Kind> }[keyof Modes] as `POST /api/threads/:thread/commands/${Name}`]: {
    readonly summary: string;
    readonly access: 'participant' | 'human';
    readonly status: 201;
    readonly command: true;
    readonly body: InputOf<Name>;
    readonly bodyByKind?: Readonly<Record<string, z.ZodType>>;
    readonly response: typeof commandResult;
  };
};

interface NamedCommand extends ModeCommand {
  readonly kind: string;
  readonly name: string;
}

/** Every command that clients may send, under its own name and its earlier ones. */
function sendableCommands(): readonly NamedCommand[] {
  return allModes.flatMap(({ kind, commands, aliases = {} }) =>
    [...Object.keys(commands).map((name) => [name, name]), ...Object.entries(aliases)].flatMap(([name, current]) => {
      const command = commands[current as string] as ModeCommand;
      if (command.access === 'internal') return [];
      const summary = name === current ? command.summary : `${command.summary} An earlier name of "${current}".`;
      return [{ ...command, kind, name: name as string, summary }];
    }),
  );
}

/** A route for each command of the modes (C4). Where several share a name, the thread's kind selects the body. */
function buildRoutes(): ModeCommandRoutes {
  const byName = Map.groupBy(sendableCommands(), ({ name }) => name);
  return Object.fromEntries(
    Array.from(byName, ([name, commands]) => [`POST /api/threads/:thread/commands/${name}`, routeFor(commands)]),
  ) as unknown as ModeCommandRoutes;
}

function routeFor(commands: readonly NamedCommand[]) {
  const inputs = commands.map(({ input }) => input);
  return {
    summary: [...new Set(commands.map(({ summary }) => summary))].join(' '),
    access: commands.every(({ access }) => access === 'human') ? 'human' : 'participant',
    status: 201,
    command: true,
    body: inputs.length === 1 ? inputs[0] : z.union(inputs),
    ...(inputs.length > 1 && { bodyByKind: Object.fromEntries(commands.map(({ kind, input }) => [kind, input])) }),
    response: commandResult,
  } as const;
}

export const modeCommandRoutes = buildRoutes();
