import type { Client, NewEventBody, Persona } from '../../client/index.ts';
import { personaProfile } from '../../core/threads/participants/persona.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { EXIT, Failure, usageError } from '../failure.ts';
import { parseIds } from '../input/ids.ts';
import { readTextFile } from '../input/text.ts';
import { THREAD_HELP } from '../input/thread-help.ts';
import { oneLine } from '../output/text.ts';
import { withThread } from '../threads/find.ts';

interface InviteOptions {
  readonly persona?: string;
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
    .argument('<thread>', THREAD_HELP)
    .argument('[ids...]', 'whom to invite (with --persona, default: the persona’s ID)')
    .option('--persona <id>', 'invite an agent with this persona’s name, instructions and model')
    .option('--kind <kind>', 'human, agent or automation')
    .option('--nickname <name>', 'display name')
    .option('--role <role...>', 'their role in the thread')
    .option('--client <key>', 'the program that runs them, by its name in heddle.yaml')
    .option('--model <key>', 'their model, by its name in heddle.yaml')
    .option('--posting <how>', 'direct, or draft: a human posts what they write')
    .option(
      '--instructions <text>',
      'instructions for an agent, first in its prompt; everybody in the thread can read them',
    )
    .option('--instructions-file <file>', 'the same, from a file')
    .option('--spec <file>', 'instructions of an auditor, visible to all (default: the standard ones)')
    .option('--every <n>', 'wake them after N messages by others')
    .examples(
      'heddle invite Garden alpha',
      'heddle invite Garden alpha beta --role reviewer',
      'heddle invite Garden ben --kind human',
      'heddle invite Garden alpha --posting draft',
      'heddle invite Garden --persona iris',
      'heddle invite Garden muse --client model --model small --instructions "Plan in small steps."',
      'heddle invite Garden auditor --client model --role auditor --every 20',
    )
    .footnote(
      'Inviting again changes only the options you give, and wakes nobody. To undo: heddle control THREAD uninvite ID',
    )
    .run(invite);

async function invite(cli: Cli, name: string, words: readonly string[], options: InviteOptions): Promise<void> {
  const { persona: personaId, ...given } = options;
  if (words.length === 0 && personaId === undefined) throw usageError('Name whom to invite, or give a --persona.');
  const { responses, invitedBefore, ids } = await withThread(cli, name, async (thread, workspace) => {
    const persona = personaId === undefined ? undefined : await findPersona(workspace, personaId);
    const ids = words.length === 0 && persona ? [persona.id] : parseIds(...words);
    const profile = { ...(persona && personaProfile(persona)), ...profileOf(given) };
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
      ids,
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

async function findPersona(workspace: Client, name: string): Promise<Persona> {
  const { personas } = await workspace.personas.list();
  const persona = personas.find(({ id, name: full }) => id.toLowerCase() === name.toLowerCase() || full === name);
  if (persona) return persona;
  throw new Failure(
    'unknown_persona',
    `There is no persona "${oneLine(name)}". "heddle personas" lists them.`,
    EXIT.refused,
  );
}

function profileOf({ role, spec, every, instructionsFile, ...plain }: Omit<InviteOptions, 'persona'>): object {
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
