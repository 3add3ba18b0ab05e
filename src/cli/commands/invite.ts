import type { NewEvent } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import { type Declare, examples } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { usage } from '../failure.ts';
import { idsIn } from '../input/ids.ts';
import { readText } from '../input/text.ts';
import { oneLine } from '../output/text.ts';
import { threadOfClient } from '../threads/find.ts';

interface Options {
  readonly kind?: string;
  readonly nickname?: string;
  readonly role?: string[];
  readonly client?: string;
  readonly model?: string;
  readonly posting?: string;
  readonly spec?: string;
  readonly every?: string;
  readonly instructions?: string;
  readonly instructionsFile?: string;
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
    .option('--instructions <text>', 'what leads the prompt of an agent; everybody in the thread can read it')
    .option('--instructions-file <file>', 'the same, from a file')
    .option('--spec <file>', 'what an auditor goes by, for all to read (default: the usual specification)')
    .option('--every <n>', 'wake them after so many messages of others')
    .addHelpText(
      'after',
      examples(
        'heddle invite Garden alpha',
        'heddle invite Garden alpha beta --role reviewer',
        'heddle invite Garden ben --kind human',
        'heddle invite Garden alpha --posting draft',
        'heddle invite Garden muse --client model --model small --instructions "Plan in small steps."',
        'heddle invite Garden auditor --client model --role auditor --every 20',
      ),
    )
    .addHelpText(
      'after',
      '\nInviting again changes only what you name, and wakes nobody. "heddle control THREAD uninvite ID" takes it back.',
    )
    .action((name: string, ids: string[], options: Options) => invite(start(), name, ids, options));

async function invite(cli: Cli, name: string, words: readonly string[], options: Options): Promise<void> {
  const ids = idsIn(...words);
  const profile = profileOf(options);
  const { posted, before } = await withClient(cli, async (client) => {
    const thread = client.thread(await threadOfClient(client, name));
    const { state } = await thread.state();
    const all = [];
    for (const id of ids) {
      const client = state.participants.find((each) => each.id === id)?.profile.client;
      // A model alone means that the model itself answers.
      const isModel = 'model' in profile && !('client' in profile) && client === undefined;
      const content = { invite: { participant_id: id, profile: isModel ? { ...profile, client: 'model' } : profile } };
      all.push(await thread.post({ type: 'control', content } as NewEvent));
    }
    return { posted: all, before: new Set(state.participants.flatMap(({ id, invited }) => (invited ? [id] : []))) };
  });
  if (cli.out.json) return cli.out.value({ invited: ids, events: posted.map(({ event }) => event) });
  const [again, fresh] = [ids.filter((id) => before.has(id)), ids.filter((id) => !before.has(id))];
  if (fresh.length > 0) cli.out.line(`Invited ${oneLine(fresh.join(', '))}.`);
  if (again.length > 0)
    cli.out.line(`Changed ${oneLine(again.join(', '))}, who ${again.length > 1 ? 'were' : 'was'} invited already.`);
}

function profileOf({ role, spec, every, instructionsFile, ...plain }: Options): object {
  if (instructionsFile !== undefined && plain.instructions !== undefined)
    throw usage('Give --instructions or --instructions-file, not both.');
  return {
    ...plain,
    ...(role && { roles: role }),
    ...(instructionsFile !== undefined && { instructions: readText(instructionsFile).trimEnd() }),
    ...(spec !== undefined && { spec: readText(spec) }),
    ...(every !== undefined && { every: Number(every) }),
  };
}
