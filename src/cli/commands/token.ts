import type { Client, WireCredential } from '../../client/index.ts';
import type { ParticipantKind } from '../../core/events/event.ts';
import { readLineFile } from '../../workspace/line-file.ts';
import type { RunningServer } from '../../workspace/server-file.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { EXIT, Failure, usageError } from '../failure.ts';
import { printTable } from '../output/table.ts';
import { oneLine } from '../output/text.ts';
import { formatAgo } from '../output/time.ts';

interface TokenOptions {
  readonly participant?: string;
  readonly kind?: string;
  readonly new?: boolean;
  readonly link?: boolean;
  readonly qr?: boolean;
  readonly list?: boolean;
  readonly revoke?: string;
}

export const declare: DeclareCommand = (command) =>
  command
    .option('--participant <id>', 'print this participant’s token: the same one each time')
    .option('--new', 'with --participant: create a new token; earlier ones stay valid until you revoke them')
    .option('--kind <kind>', 'what the participant is: human, agent (the default) or automation')
    .option('--link', 'print a one-time sign-in link for a browser; needs a running server')
    .option('--qr', 'with --link: also print a QR code for a phone’s camera')
    .option('--list', 'list the credentials, without their tokens')
    .option('--revoke <id>', 'revoke a credential, by its ID in the list')
    .examples(
      'curl -H "Authorization: Bearer $(heddle token)" http://127.0.0.1:4747/api/threads',
      'HEDDLE_TOKEN=$(heddle token --participant alpha) heddle post Garden "Hello"',
      'heddle token --link',
      'heddle token --link --qr',
    )
    .run(token);

async function token(cli: Cli, options: TokenOptions): Promise<void> {
  const { participant, kind, new: isNew, link, qr = false, list, revoke } = options;
  const actions = [participant, link, list, revoke].filter((action) => action !== undefined);
  if (actions.length > 1) throw usageError('Ask for one thing at a time: --participant, --link, --list or --revoke.');
  if (kind !== undefined && participant === undefined) throw usageError('Use --kind together with --participant.');
  if (isNew && participant === undefined)
    throw usageError('Name who the token is for: heddle token --participant ID --new');
  if (qr && !link) throw usageError('Use --qr together with --link.');
  if (participant !== undefined) {
    const request = { participant, kind: (kind || undefined) as ParticipantKind | undefined, new: isNew };
    const response = await withClient(cli, (client) => client.credentials.issue(request));
    return cli.out.answer(response, response.token);
  }
  if (list) return withClient(cli, (client) => listCredentials(cli, client));
  if (revoke !== undefined) return withClient(cli, (client) => revokeCredential(cli, client, revoke));
  return withClient(cli, (client, server) => (link ? printLink(cli, client, server, qr) : printOwnToken(cli)));
}

async function printOwnToken({ out, directory }: Cli): Promise<void> {
  const ownToken = readLineFile(directory.token);
  if (ownToken === undefined)
    throw new Failure('no_token', `${directory.token} is missing. Start the server again: it writes a new one.`);
  out.answer({ token: ownToken }, ownToken);
}

/** A sign-in link works only on the server that made it: it lives in that server's memory, not in the log. */
async function printLink(
  { out }: Cli,
  client: Client,
  server: RunningServer | undefined,
  asQr: boolean,
): Promise<void> {
  if (!server) {
    throw new Failure(
      'no_server',
      'No server is running, so there is no page to sign in to. "heddle serve" starts one and prints a link.',
    );
  }
  const { url, expires } = await client.signInLink();
  const { pathname, search } = new URL(url);
  const link = server.page + pathname + search;
  // The light squares are the ones drawn, as most terminals are dark; cameras of phones read the reverse, too.
  const code = asQr && !out.json ? `${(await import('uqr')).renderUnicodeCompact(link, { border: 2 })}\n` : '';
  out.answer({ url: link, expires }, code + link);
}

async function listCredentials({ out }: Cli, client: Client): Promise<void> {
  const { credentials } = await client.credentials.list();
  if (out.json) return out.value({ credentials });
  const now = Date.now();
  const rows = credentials.map((each) => [
    each.id,
    oneLine(each.participant),
    each.kind,
    labelOfUse(each),
    formatAgo(each.created, now),
  ]);
  printTable(out, rows, 1);
}

function labelOfUse({ use }: WireCredential): string {
  return use === 'session' ? 'browser' : 'token';
}

async function revokeCredential({ out }: Cli, client: Client, name: string): Promise<void> {
  const { credentials } = await client.credentials.list();
  const matches = credentials.filter(({ id }) => id === name || (name.length >= 6 && id.endsWith(name.toUpperCase())));
  if (matches.length > 1) throw usageError(`"${name}" matches several IDs. Use the whole ID.`);
  const id = matches[0]?.id;
  if (id === undefined)
    throw new Failure(
      'unknown_credential',
      `There is no credential "${oneLine(name)}". "heddle token --list" lists them.`,
      EXIT.refused,
    );
  const { credential } = await client.credentials.revoke(id);
  out.answer({ credential }, `Revoked a ${labelOfUse(credential)} of ${oneLine(credential.participant)}.`);
}
