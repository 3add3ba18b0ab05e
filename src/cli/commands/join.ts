import { existsSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Client, NewEvent } from '../../client/index.ts';
import { writeToken } from '../../workspace/keys/token.ts';
import { type Kit, type KitClient, kitClients, kitFor, type Place, primerFor } from '../agents/kit.ts';
import { writeKitFile } from '../agents/kit-file.ts';
import type { Cli } from '../cli.ts';
import { type Declare, examples } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { usage } from '../failure.ts';
import { idsIn } from '../input/ids.ts';
import { oneLine } from '../output/text.ts';
import { threadOfClient } from '../threads/find.ts';

interface Options {
  readonly as?: string;
  readonly client?: string;
  readonly write?: boolean;
}

export const declare: Declare = (command, start) =>
  command
    .argument('<thread>', 'its id, the beginning or end of it, or its exact title')
    .requiredOption('--as <id>', 'who the agent is in the thread')
    .option('--client <program>', `only for this one: ${kitClients.join(', ')}`)
    .option('--write', 'write it into the file of that program in this directory')
    .addHelpText(
      'after',
      examples(
        'heddle join Garden --as alpha',
        'heddle join Garden --as alpha --client claude',
        'heddle join Garden --as alpha --client gemini --write',
      ),
    )
    .addHelpText(
      'after',
      '\nThe participant is invited if it is not yet, and gets a token of its own in a file that only you can read.',
    )
    .action((name: string, options: Options) => joinKit(start(), name, options));

async function joinKit(cli: Cli, name: string, { as = '', client: only, write = false }: Options): Promise<void> {
  const [participant = '', ...others] = idsIn(as);
  if (participant === '' || others.length > 0) throw usage('Say with --as which one participant it is.');
  if (only !== undefined && !kitClients.includes(only as KitClient))
    throw usage(`"--client ${oneLine(only)}" should be one of ${kitClients.join(', ')}.`);
  if (write && only === undefined) throw usage('Say with --client whose file is to be written.');
  const { thread, invited, tokenFile, url } = await withClient(cli, async (client, server) => {
    const id = await threadOfClient(client, name);
    return {
      thread: id,
      invited: await invite(client, id, participant),
      tokenFile: await tokenFileFor(cli, client, participant),
      url: server?.page,
    };
  });
  const place = { ...placeOf(cli, tokenFile), ...(url !== undefined && { url }) };
  const kits = kitClients.filter((each) => only === undefined || each === only).map((each) => kitFor(each, place));
  const written = write ? kits.map((kit) => writeFor(kit, place)) : [];
  show(cli, {
    thread,
    participant,
    invited,
    token_file: tokenFile,
    kits,
    written,
    primer: primerFor(thread, participant),
  });
}

interface Told {
  readonly thread: string;
  readonly participant: string;
  readonly invited: boolean;
  readonly token_file: string;
  readonly kits: readonly Kit[];
  readonly written: readonly string[];
  readonly primer: string;
}

function show({ out }: Cli, told: Told): void {
  if (out.json) {
    out.value(told);
    return;
  }
  const { bold, dim } = out.colors;
  if (told.invited) out.line(`Invited ${told.participant}.`);
  for (const { client, line, file } of told.kits) {
    out.line(bold(client) + (file ? dim(` (or --client ${client} --write: ${file.path})`) : ''));
    out.line(`  ${line}`);
  }
  for (const path of told.written) out.line(`Wrote ${path}.`);
  out.line();
  out.line(bold('What to tell the agent'));
  for (const line of told.primer.split('\n')) out.line(`  ${line}`);
  out.line();
  out.line(
    dim(`The token of ${told.participant} is in ${told.token_file}; "heddle token --list" and --revoke end it.`),
  );
}

async function invite(client: Client, thread: string, id: string): Promise<boolean> {
  const { state } = await client.thread(thread).state();
  if (state.participants.some((each) => each.id === id && each.invited)) return false;
  const content = { invite: { participant_id: id, profile: { kind: 'agent' } } };
  await client.thread(thread).post({ type: 'control', content } as NewEvent);
  return true;
}

/** One token for each participant that joins this way, for as long as it is not revoked. Its file names the credential. */
async function tokenFileFor({ directory }: Cli, client: Client, participant: string): Promise<string> {
  const folder = join(directory.path, 'tokens');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { credentials } = await client.credentials.list();
  const files = new Set(readdirSync(folder));
  const known = credentials.find((each) => each.participant === participant && files.has(nameOf(participant, each.id)));
  if (known) return join(folder, nameOf(participant, known.id));
  const { token, credential } = await client.credentials.issue({ participant });
  const path = join(folder, nameOf(participant, credential.id));
  writeToken(path, token);
  return path;
}

function nameOf(participant: string, credential: string): string {
  return `${participant}.${credential}`;
}

function placeOf({ directory, database }: Cli, tokenFile: string): Place {
  // npx starts a link in its cache, which it may clear at any time.
  const program = resolve(process.argv[1] as string);
  const started = existsSync(program) ? [process.execPath, realpathSync(program)] : ['heddle'];
  const words = ['mcp', '--workspace', directory.path, '--token-file', tokenFile];
  return {
    mcp: [...started, ...words, ...(database === undefined ? [] : ['--database', database])],
    workspace: directory.path,
    tokenFile,
  };
}

function writeFor({ client, file }: Kit, { mcp }: Place): string {
  if (!file) throw usage(`There is no file to write for ${client}: use the printed line.`);
  const path = resolve(file.path);
  writeKitFile(path, file.kind, mcp);
  return path;
}
