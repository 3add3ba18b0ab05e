import type { NewEventBody } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { usageError } from '../failure.ts';
import { parseIds } from '../input/ids.ts';
import { readTextFile } from '../input/text.ts';
import { oneLine } from '../output/text.ts';
import { withThread } from '../threads/find.ts';

interface InviteOptions {
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

export const declare: DeclareCommand = (command) =>
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
    .examples(
      'heddle invite Garden alpha',
      'heddle invite Garden alpha beta --role reviewer',
      'heddle invite Garden ben --kind human',
      'heddle invite Garden alpha --posting draft',
      'heddle invite Garden muse --client model --model small --instructions "Plan in small steps."',
      'heddle invite Garden auditor --client model --role auditor --every 20',
    )
    .footnote(
      'Inviting again changes only what you name, and wakes nobody. "heddle control THREAD uninvite ID" takes it back.',
    )
    .run(invite);

async function invite(cli: Cli, name: string, words: readonly string[], options: InviteOptions): Promise<void> {
  const ids = parseIds(...words);
  const profile = profileOf(options);
  const { responses, invitedBefore } = await withThread(cli, name, async (thread) => {
    const { state } = await thread.state();
    const all = [];
    for (const id of ids) {
      const client = state.participants.find((each) => each.id === id)?.profile.client;
      // A profile with a model but no client means that the model itself answers.
      const isPlainModel = 'model' in profile && !('client' in profile) && client === undefined;
      const content = {
        invite: { participant_id: id, profile: isPlainModel ? { ...profile, client: 'model' } : profile },
      };
      all.push(await thread.post({ type: 'control', content } as NewEventBody));
    }
    return {
      responses: all,
      invitedBefore: new Set(state.participants.flatMap(({ id, invited }) => (invited ? [id] : []))),
    };
  });
  if (cli.out.json) return cli.out.value({ invited: ids, events: responses.map(({ event }) => event) });
  const [changedIds, newIds] = [ids.filter((id) => invitedBefore.has(id)), ids.filter((id) => !invitedBefore.has(id))];
  if (newIds.length > 0) cli.out.line(`Invited ${oneLine(newIds.join(', '))}.`);
  if (changedIds.length > 0)
    cli.out.line(
      `Changed ${oneLine(changedIds.join(', '))}, who ${changedIds.length > 1 ? 'were' : 'was'} invited already.`,
    );
}

function profileOf({ role, spec, every, instructionsFile, ...plain }: InviteOptions): object {
  if (instructionsFile !== undefined && plain.instructions !== undefined)
    throw usageError('Give --instructions or --instructions-file, not both.');
  return {
    ...plain,
    ...(role && { roles: role }),
    ...(instructionsFile !== undefined && { instructions: readTextFile(instructionsFile).trimEnd() }),
    ...(spec !== undefined && { spec: readTextFile(spec) }),
    ...(every !== undefined && { every: Number(every) }),
  };
}
