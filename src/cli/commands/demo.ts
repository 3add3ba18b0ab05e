import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Client } from '../../client/index.ts';
import { linkTo } from '../../core/link.ts';
import { directoryAt } from '../../workspace/directory.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { openBrowser } from '../connect/browser.ts';
import { serve } from '../connect/serve.ts';
import { tableLines } from '../output/table.ts';

interface DemoOptions {
  readonly port: string;
  readonly open: boolean;
  readonly workspace?: string;
  readonly database?: string;
}

export const declare: DeclareCommand = (command) =>
  command
    .option('--port <n>', 'the port to listen on; 0 chooses a free one', '0')
    .option('--no-open', 'do not open the page in a browser')
    .examples('heddle demo', 'heddle demo --no-open --json', 'heddle demo --workspace sample')
    .footnote(`A small model inside Heddle writes the sample while you watch; it needs no key and no
network is needed. It is in a directory of its own that is removed at the end:
your workspace is left alone. With --workspace it is made there, and stays.
Ctrl-C ends it.`)
    .run((cli, _, self: Command) => demo(cli, self.optsWithGlobals<DemoOptions>()));

/** Ignores the environment variables for the user's own workspace; only this command's options count. */
async function demo(cli: Cli, options: DemoOptions): Promise<void> {
  const { workspace, database } = options;
  if (workspace !== undefined) return runDemo({ ...cli, database }, options, false);
  const path = mkdtempSync(join(tmpdir(), 'heddle-demo-'));
  try {
    await runDemo({ ...cli, directory: directoryAt(path), database }, options, true);
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

function runDemo(cli: Cli, { port, open }: DemoOptions, isTemporary: boolean): Promise<void> {
  return serve(cli, { port, host: '127.0.0.1' }, (client, page) => announce(cli, client, page, { open, isTemporary }));
}

async function announce(
  { out, directory }: Cli,
  client: Client,
  page: string,
  { open, isTemporary }: { readonly open: boolean; readonly isTemporary: boolean },
): Promise<void> {
  const { threads } = await client.sample();
  const threadList = threads.map((thread) => ({ kind: thread.kind, title: thread.title, link: linkTo(thread) }));
  if (out.json) return out.value({ url: page, workspace: directory.path, pid: process.pid, threads: threadList });
  const { bold, dim } = out.colors;
  out.line(`A Heddle sample is running at ${page}\n`);
  out.line(`  ${bold(await tourLink(client))}\n`);
  const rows = threadList.map(({ kind, title, link }) => [kind === 'conversation' ? 'thread' : kind, title, link]);
  for (const line of tableLines(rows, Number.POSITIVE_INFINITY)) out.line(`  ${line}`);
  out.line('\nA small model writes them while you watch; the page gives you a tour.');
  const location = isTemporary ? `${directory.path}, which is removed when you stop` : directory.path;
  out.line(dim(`The link signs you in once, within ten minutes. The workspace is ${location}. Ctrl-C ends it.`));
  if (open && !(await openBrowser(await tourLink(client)))) {
    out.line(dim('Could not open a browser: open the link yourself.'));
  }
}

async function tourLink(client: Client): Promise<string> {
  return `${(await client.signInLink()).url}&to=tour`;
}
