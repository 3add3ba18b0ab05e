import { existsSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Client, NewEventBody } from '../../client/index.ts';
import { writeLineFile } from '../../workspace/line-file.ts';
import { type Kit, type KitClient, type KitLocation, kitClients, kitFor, primerFor } from '../agents/kit.ts';
import { writeKitFile } from '../agents/kit-file.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { usageError } from '../failure.ts';
import { parseIds } from '../input/ids.ts';
import { THREAD_HELP } from '../input/thread-help.ts';
import { oneLine } from '../output/text.ts';
import { resolveThreadId } from '../threads/find.ts';

interface JoinOptions {
  readonly as?: string;
  readonly client?: string;
  readonly write?: boolean;
}

export const declare: DeclareCommand = (command) =>
  command
    .argument('<thread>', THREAD_HELP)
    .requiredOption('--as <id>', 'the agent’s ID in the thread')
    .option('--client <program>', `only for this program: ${kitClients.join(', ')}`)
    .option('--write', 'write it to that program’s settings file in the current directory')
    .examples(
      'heddle join Garden --as alpha',
      'heddle join Garden --as alpha --client claude',
      'heddle join Garden --as alpha --client gemini --write',
    )
    .footnote('Invites the participant if needed and stores its own token in a file that only you can read.')
    .run(joinKit);

async function joinKit(
  cli: Cli,
  name: string,
  { as = '', client: onlyClient, write = false }: JoinOptions,
): Promise<void> {
  const [participant = '', ...others] = parseIds(as);
  if (participant === '' || others.length > 0) throw usageError('Give one participant with --as.');
  if (onlyClient !== undefined && !kitClients.includes(onlyClient as KitClient))
    throw usageError(`"--client ${oneLine(onlyClient)}" should be one of ${kitClients.join(', ')}.`);
  if (write && onlyClient === undefined) throw usageError('With --write, also give the program with --client.');
  const { thread, invited, tokenFile, url } = await withClient(cli, async (client, server) => {
    const id = await resolveThreadId(client, name);
    return {
      thread: id,
      invited: await invite(client, id, participant),
      tokenFile: await tokenFileFor(cli, client, participant),
      url: server?.page,
    };
  });
  const location = { ...kitLocationOf(cli, tokenFile), ...(url !== undefined && { url }) };
  const kits = kitClients
    .filter((each) => onlyClient === undefined || each === onlyClient)
    .map((each) => kitFor(each, location));
  const writtenFiles = write ? kits.map((kit) => writeKit(kit, location)) : [];
  const primer = primerFor(thread, participant);
  const report = { thread, participant, invited, token_file: tokenFile, kits, written: writtenFiles, primer };
  cli.out.answer(report, ...reportLines(cli, report));
}

interface JoinReport {
  readonly thread: string;
  readonly participant: string;
  readonly invited: boolean;
  readonly token_file: string;
  readonly kits: readonly Kit[];
  readonly written: readonly string[];
  readonly primer: string;
}

function reportLines({ out }: Cli, { participant, invited, token_file, kits, written, primer }: JoinReport): string[] {
  const { bold, dim } = out.colors;
  return [
    ...(invited ? [`Invited ${participant}.`] : []),
    ...kits.flatMap(({ client, line, file }) => [
      bold(client) + (file ? dim(` (or --client ${client} --write: ${file.path})`) : ''),
      `  ${line}`,
    ]),
    ...written.map((path) => `Wrote ${path}.`),
    '',
    bold('Instructions for the agent'),
    ...primer.split('\n').map((line) => `  ${line}`),
    '',
    dim(
      `The token of ${participant} is in ${token_file}; to revoke it: heddle token --list, then heddle token --revoke ID.`,
    ),
  ];
}

async function invite(client: Client, thread: string, id: string): Promise<boolean> {
  const { state } = await client.thread(thread).state();
  if (state.participants.some((each) => each.id === id && each.invited)) return false;
  const content = { invite: { participant_id: id, profile: { kind: 'agent' } } };
  await client.thread(thread).post({ type: 'control', content } as NewEventBody);
  return true;
}

/** Each participant that joins this way keeps one token until it is revoked. The token's file names the credential. */
async function tokenFileFor({ directory }: Cli, client: Client, participant: string): Promise<string> {
  const folder = join(directory.path, 'tokens');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { credentials } = await client.credentials.list();
  const files = new Set(readdirSync(folder));
  const existing = credentials.find(
    (each) => each.participant === participant && files.has(tokenFileName(participant, each.id)),
  );
  if (existing) return join(folder, tokenFileName(participant, existing.id));
  const { token, credential } = await client.credentials.issue({ participant });
  const path = join(folder, tokenFileName(participant, credential.id));
  writeLineFile(path, token);
  return path;
}

function tokenFileName(participant: string, credential: string): string {
  return `${participant}.${credential}`;
}

function kitLocationOf({ directory, database }: Cli, tokenFile: string): KitLocation {
  // npx runs a symlink in its cache, which it may clear at any time.
  const program = resolve(process.argv[1] as string);
  const command = existsSync(program) ? [process.execPath, realpathSync(program)] : ['heddle'];
  const args = ['mcp', '--workspace', directory.path, '--token-file', tokenFile];
  return {
    mcp: [...command, ...args, ...(database === undefined ? [] : ['--database', database])],
    workspace: directory.path,
    tokenFile,
  };
}

function writeKit({ client, file }: Kit, { mcp }: KitLocation): string {
  if (!file) throw usageError(`There is no file to write for ${client}: use the printed line.`);
  const path = resolve(file.path);
  writeKitFile(path, file.kind, mcp);
  return path;
}
