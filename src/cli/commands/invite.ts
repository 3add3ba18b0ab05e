import type { NewEvent } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import { withClient } from '../connect.ts';
import { type Declare, examples } from '../declare.ts';
import { threadOfClient } from '../find-thread.ts';
import { idsIn } from '../ids.ts';
import { oneLine } from '../text.ts';

interface Options {
  readonly kind?: string;
  readonly nickname?: string;
  readonly role?: string[];
  readonly client?: string;
  readonly model?: string;
  readonly posting?: string;
}

export const declare: Declare = (command, start) =>
  command
    .argument('<thread>', 'its id, the beginning or end of it, or its exact title')
    .argument('<ids...>', 'whom to invite')
    .option('--kind <kind>', 'human, agent or automation')
    .option('--nickname <name>', 'what others may call them')
    .option('--role <role...>', 'what they do here')
    .option('--client <key>', 'what runs them, as heddle.yaml names it')
    .option('--model <key>', 'which model they are, as heddle.yaml names it')
    .option('--posting <how>', 'direct, or draft: a human accepts what they write first')
    .addHelpText(
      'after',
      examples(
        'heddle invite Garden alpha',
        'heddle invite Garden alpha beta --role reviewer',
        'heddle invite Garden ben --kind human',
      ),
    )
    .addHelpText(
      'after',
      '\nInviting again changes only what you name. "heddle control THREAD uninvite ID" takes it back.',
    )
    .action((name: string, ids: string[], options: Options) => invite(start(), name, ids, options));

async function invite(cli: Cli, name: string, words: readonly string[], { role, ...profile }: Options): Promise<void> {
  const ids = idsIn(...words);
  const posted = await withClient(cli, async (client) => {
    const thread = client.thread(await threadOfClient(client, name));
    const all = [];
    for (const id of ids) {
      const content = { invite: { participant_id: id, profile: { ...profile, ...(role && { roles: role }) } } };
      all.push(await thread.post({ type: 'control', content } as NewEvent));
    }
    return all;
  });
  if (cli.out.json) return cli.out.value({ invited: ids, events: posted.map(({ event }) => event) });
  cli.out.line(`Invited ${oneLine(ids.join(', '))}.`);
}
