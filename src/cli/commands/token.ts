import type { Client, WireCredential } from '../../client/index.ts';
import type { ParticipantKind } from '../../core/events/event.ts';
import { readToken } from '../../workspace/keys/token.ts';
import type { RunningServer } from '../../workspace/server-file.ts';
import type { Cli } from '../cli.ts';
import { type Declare, examples } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { EXIT, Failure, usage } from '../failure.ts';
import { table } from '../output/table.ts';
import { oneLine } from '../output/text.ts';
import { ago } from '../output/time.ts';

interface Options {
  readonly participant?: string;
  readonly kind?: string;
  readonly new?: boolean;
  readonly link?: boolean;
  readonly list?: boolean;
  readonly revoke?: string;
}

export const declare: Declare = (command, start) =>
  command
    .option('--participant <id>', 'print the token that acts as this participant: the same one each time')
    .option('--new', 'with --participant: make a new token; the earlier ones stay valid until you revoke them')
    .option('--kind <kind>', 'what the participant is: human, agent (the default) or automation')
    .option('--link', 'print a one-time link that signs a browser in; needs a running server')
    .option('--list', 'list the credentials, without their tokens')
    .option('--revoke <id>', 'end a credential, by its id in the list')
    .addHelpText(
      'after',
      examples(
        'curl -H "Authorization: Bearer $(heddle token)" http://127.0.0.1:4747/api/threads',
        'HEDDLE_TOKEN=$(heddle token --participant alpha) heddle post Garden "Hello"',
        'heddle token --link',
      ),
    )
    .action((options: Options) => token(start(), options));

async function token(cli: Cli, { participant, kind, new: isNew, link, list, revoke }: Options): Promise<void> {
  const wishes = [participant, link, list, revoke].filter((wish) => wish !== undefined);
  if (wishes.length > 1) throw usage('Ask for one thing at a time: --participant, --link, --list or --revoke.');
  if (kind !== undefined && participant === undefined) throw usage('--kind goes with --participant.');
  if (isNew && participant === undefined)
    throw usage('Add who the token is for: "heddle token --participant ID --new".');
  if (participant !== undefined) {
    const wish = { participant, ...(kind && { kind: kind as ParticipantKind }), ...(isNew && { new: true }) };
    return withClient(cli, (client) => issue(cli, client, wish));
  }
  if (list) return withClient(cli, (client) => show(cli, client));
  if (revoke !== undefined) return withClient(cli, (client) => end(cli, client, revoke));
  return withClient(cli, (client, server) => (link ? printLink(cli, client, server) : printOwn(cli)));
}

async function printOwn({ out, directory }: Cli): Promise<void> {
  const own = readToken(directory.token);
  if (own === undefined)
    throw new Failure('no_token', `${directory.token} is missing. Start the server again: it writes a new one.`);
  if (out.json) out.value({ token: own });
  else out.line(own);
}

async function issue({ out }: Cli, client: Client, wish: Parameters<Client['credentials']['issue']>[0]): Promise<void> {
  const issued = await client.credentials.issue(wish);
  if (out.json) out.value(issued);
  else out.line(issued.token);
}

/** A link is good only where it was made: it lives in the server's memory, not in the log. */
async function printLink({ out }: Cli, client: Client, server: RunningServer | undefined): Promise<void> {
  if (!server) {
    throw new Failure(
      'no_server',
      'No server is running, so there is no page to sign in to. "heddle serve" starts one and prints a link.',
    );
  }
  const { url, expires } = await client.signInLink();
  const { pathname, search } = new URL(url);
  const link = server.page + pathname + search;
  if (out.json) out.value({ url: link, expires });
  else out.line(link);
}

async function show({ out }: Cli, client: Client): Promise<void> {
  const { credentials } = await client.credentials.list();
  if (out.json) return out.value({ credentials });
  const now = Date.now();
  const rows = credentials.map((each) => [
    each.id,
    oneLine(each.participant),
    each.kind,
    wordFor(each),
    ago(each.created, now),
  ]);
  for (const line of table(rows, out.width, (cell, column) => (column === 1 ? cell : out.colors.dim(cell))))
    out.line(line);
}

function wordFor({ use }: WireCredential): string {
  return use === 'session' ? 'browser' : 'token';
}

async function end({ out }: Cli, client: Client, name: string): Promise<void> {
  const { credentials } = await client.credentials.list();
  const found = credentials.filter(({ id }) => id === name || (name.length >= 6 && id.endsWith(name.toUpperCase())));
  if (found.length > 1) throw usage(`"${name}" is the end of several ids. Use the whole one.`);
  const id = found[0]?.id;
  if (id === undefined)
    throw new Failure(
      'unknown_credential',
      `There is no credential "${oneLine(name)}". "heddle token --list" lists them.`,
      EXIT.refused,
    );
  const { credential } = await client.credentials.revoke(id);
  if (out.json) return out.value({ credential });
  out.line(`Revoked a ${wordFor(credential)} of ${oneLine(credential.participant)}.`);
}
