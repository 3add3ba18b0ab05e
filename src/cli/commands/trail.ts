import type { WireTrail } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import { type Declare, examples } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { oneLine } from '../output/text.ts';
import { threadOfClient } from '../threads/find.ts';

export const declare: Declare = (command, start) =>
  command
    .argument('<thread>', 'its id, the beginning or end of it, or its exact title')
    .addHelpText('after', examples('heddle trail Garden', 'heddle trail Garden --json'))
    .action((name: string) => trail(start(), name));

async function trail(cli: Cli, name: string): Promise<void> {
  const { out } = cli;
  const found = await withClient(cli, async (client) => client.thread(await threadOfClient(client, name)).trail());
  if (out.json) return out.value(found);
  const titles = new Map(found.threads.map(({ id, title, kind }) => [id, `“${oneLine(title)}” (${kind})`]));
  if (found.steps.length === 0) {
    return out.line(`${titles.get(found.threads[0]?.id ?? '')} came of nothing else, and nothing came of it.`);
  }
  for (const step of found.steps) {
    const [from, to] = step.between;
    out.line(
      `${titles.get(to)} ${HOW[step.how]}${step.what ? ` ${oneLine(named(step.what))} in` : ''} ${titles.get(from)}`,
    );
    out.line(out.colors.dim(oneLine(`  ${step.from} → ${step.to}`)));
  }
  if (found.more) out.note('There is more than this.');
}

const HOW: Readonly<Record<WireTrail['steps'][number]['how'], string>> = {
  opened: 'was opened from',
  brought: 'was brought',
  forked: 'is a fork of',
  side: 'is a side channel of',
};

function named(what: string): string {
  return what === 'terms' ? 'the terms' : `${what === 'audit' ? 'an' : 'a'} ${what}`;
}
