import type { Client } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { openBrowser } from '../connect/browser.ts';
import { type ServeOptions, serve } from '../connect/serve.ts';
import { logName } from '../connect/workspace.ts';
import { withCommandPrefix } from '../output/hints.ts';

interface ServeCommandOptions extends ServeOptions {
  readonly open: boolean;
}

export const declare: DeclareCommand = (command) =>
  command
    .option('--port <n>', 'the port to listen on; 0 chooses a free one', '4747')
    .option(
      '--host <address>',
      'the address to listen on; any address other than this machine needs https',
      '127.0.0.1',
    )
    .option('--no-open', 'do not open the page in a browser')
    .option('--tls-cert <file>', 'a certificate for https (PEM), with --tls-key')
    .option('--tls-key <file>', 'its key (PEM)')
    .option('--behind-proxy', 'a proxy in front of this server handles https')
    .option('--allow-host <name...>', 'other host names of the server, such as the proxy’s')
    .examples(
      'heddle',
      'heddle serve --port 0 --no-open --json',
      'heddle serve --database postgres://user:password@host/heddle',
      'heddle serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem',
    )
    .footnote('Ctrl-C stops it. Unfinished work continues at the next start.')
    .run((cli, options: ServeCommandOptions) =>
      serve(cli, options, (client, page) => announce(cli, client, page, options)),
    );

async function announce(cli: Cli, client: Client, page: string, options: ServeCommandOptions): Promise<void> {
  const { out, directory } = cli;
  if (out.json) return out.value({ url: page, workspace: directory.path, pid: process.pid });
  const link = await client.signInLink();
  const log = cli.database === undefined ? '' : ` on ${logName(cli)}`;
  out.line(`Heddle is running at ${page}\n`);
  out.line(`  ${out.colors.bold(link.url)}\n`);
  out.line(
    out.colors.dim(
      withCommandPrefix('The link signs you in once, within ten minutes. For another: heddle token --link'),
    ),
  );
  out.line(out.colors.dim(`The workspace is ${directory.path}${log}. Ctrl-C stops the server.`));
  if (options.open && !(await openBrowser((await client.signInLink()).url))) {
    out.line(out.colors.dim('Could not open a browser: open the link yourself.'));
  }
}
