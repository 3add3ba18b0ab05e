import type { Persona } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { usageError } from '../failure.ts';
import { readTextFile } from '../input/text.ts';
import { printTable } from '../output/table.ts';
import { oneLine } from '../output/text.ts';

interface PersonaOptions {
  readonly id?: string;
  readonly name?: string;
  readonly model?: string;
  readonly instructions?: string;
  readonly instructionsFile?: string;
}

export const declare: DeclareCommand = (command) => {
  command.examples(
    'heddle personas',
    'heddle personas add "Iris" --model small --instructions "Plan in small steps."',
    'heddle invite Garden --persona iris',
  );
  command.command('list', { isDefault: true }).description('list the personas').run(list);
  command
    .command('add <name...>')
    .description('add a persona to invite agents with')
    .option('--id <id>', 'the ID it is invited under (default: from the name)')
    .option('--model <key>', 'the model that answers, by its name in heddle.yaml')
    .option('--instructions <text>', 'its instructions, first in its prompt; everybody in a thread can read them')
    .option('--instructions-file <file>', 'the same, from a file')
    .examples('heddle personas add Iris --model small --instructions-file iris.md')
    .run((cli, words: string[], options: PersonaOptions) => add(cli, words.join(' '), options));
  command
    .command('change <persona>')
    .description('change a persona; agents already invited with it do not change')
    .option('--name <name>', 'another name')
    .option('--model <key>', 'another model; "" removes it')
    .option('--instructions <text>', 'other instructions; "" removes them')
    .option('--instructions-file <file>', 'the same, from a file')
    .examples('heddle personas change iris --model large')
    .run(change);
  command
    .command('remove <persona>')
    .description('remove a persona; agents already invited with it stay')
    .examples('heddle personas remove iris')
    .run(remove);
};

async function list(cli: Cli): Promise<void> {
  const { out } = cli;
  const { personas } = await withClient(cli, (client) => client.personas.list());
  if (out.json) return out.value({ personas });
  if (personas.length === 0) return out.note('There are no personas yet. Add one: heddle personas add "Iris"');
  const cells = personas.map(({ id, name, model = '–', instructions = '' }) =>
    [id, name, model, instructions].map((text) => oneLine(text)),
  );
  printTable(out, cells, 3);
}

async function add(cli: Cli, name: string, { id, ...options }: PersonaOptions): Promise<void> {
  const fields = Object.fromEntries(Object.entries(fieldsOf(options)).filter(([, value]) => value !== null));
  const answer = await withClient(cli, (client) => client.personas.add({ ...fields, name, ...(id && { id }) }));
  printPersona(cli, answer, 'Added');
}

async function change(cli: Cli, persona: string, options: PersonaOptions): Promise<void> {
  const set = { ...fieldsOf(options), ...(options.name !== undefined && { name: options.name }) };
  if (Object.keys(set).length === 0) throw usageError('Give a change: --name, --model or --instructions.');
  printPersona(cli, await withClient(cli, (client) => client.personas.change(persona, set)), 'Changed');
}

async function remove(cli: Cli, persona: string): Promise<void> {
  printPersona(cli, await withClient(cli, (client) => client.personas.remove(persona)), 'Removed');
}

function fieldsOf({ model, instructions, instructionsFile }: PersonaOptions) {
  if (instructionsFile !== undefined && instructions !== undefined)
    throw usageError('Give --instructions or --instructions-file, not both.');
  const text = instructionsFile === undefined ? instructions : readTextFile(instructionsFile).trimEnd();
  return {
    ...(model !== undefined && { model: model || null }),
    ...(text !== undefined && { instructions: text || null }),
  };
}

function printPersona({ out }: Cli, answer: { readonly persona: Persona }, verb: string): void {
  const { id, name } = answer.persona;
  const hint = verb === 'Removed' ? '' : ` Invite it with: heddle invite THREAD --persona ${oneLine(id)}`;
  out.answer(answer, `${verb} “${oneLine(name)}”.${hint}`);
}
