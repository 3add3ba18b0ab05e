import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentsDirectoryOf } from '../../workspace/agents-directory.ts';
import { makeDirectory } from '../../workspace/directory.ts';
import { addClient } from '../../workspace/settings/edit.ts';
import { clientProblem } from '../../workspace/settings/problem.ts';
import { readSettings, type WorkspaceSettings, writeDefaultSettings } from '../../workspace/settings/settings.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { EXIT, Failure, usageError } from '../failure.ts';
import { parseInteger } from '../input/numbers.ts';
import { withCommandPrefix } from '../output/hints.ts';
import { interruptSignal } from '../output/progress.ts';
import { printTable } from '../output/table.ts';
import { oneLine, sanitize } from '../output/text.ts';
import { formatDuration } from '../output/time.ts';

interface AgentAddOptions {
  readonly adapter?: string;
  readonly permission?: string;
  readonly model?: string;
  readonly env?: readonly string[];
  readonly seconds?: string;
}

type AgentClient = WorkspaceSettings['clients'][string];

const TRIAL_QUESTION = 'This is a trial. Do nothing, use no tool, and answer with the one word: ready';
const TRIAL_SECONDS = 120;

export const declare: DeclareCommand = (command) => {
  command
    .examples(
      'heddle agents',
      'heddle agents add claude --adapter claude',
      'heddle agents add helper --adapter command -- node helper.js',
      'heddle agents test claude',
      'heddle invite Garden alpha --client claude',
    )
    .footnote('Agents are listed under "clients" in heddle.yaml. Keys are not: name the variable of a key with --env.');
  command
    .command('list', { isDefault: true })
    .description('list the command-line agents in heddle.yaml and whether their programs are installed')
    .examples('heddle agents list', 'heddle agents list --json')
    .run(list);
  command
    .command('add <name> [command...]')
    .description('add a command-line agent to heddle.yaml')
    .requiredOption('--adapter <kind>', 'claude, codex, gemini, acp (the Agent Client Protocol) or command')
    .option('--permission <mode>', 'the program’s own permission mode (default: its safe mode)')
    .option('--model <id>', 'the model it uses')
    .option('--env <NAME...>', 'variables it may see, in addition to those it always needs')
    .option('--seconds <n>', 'time limit for an answer, in seconds (default: 600)')
    .examples(
      'heddle agents add codex --adapter codex',
      'heddle agents add gemini --adapter acp --env GEMINI_API_KEY -- gemini --acp',
      'heddle agents add helper --adapter command --seconds 60 -- node helper.js',
    )
    .run(add);
  command
    .command('test <name>')
    .description('start an agent once with a harmless question, in an empty directory')
    .examples('heddle agents test claude')
    .run(test);
};

async function list({ out, directory, host }: Cli): Promise<void> {
  const { clients, sandbox: setting } = readSettings(directory.settings);
  const sandbox = await host.sandboxFor(setting);
  const agents = await Promise.all(
    Object.entries(clients).map(async ([name, client]) => ({
      name,
      ...client,
      ...(await host.programOf(client)),
      sandbox: sandbox.kind,
    })),
  );
  if (out.json) return out.value({ agents, sandbox });
  if (agents.length === 0) {
    out.line(
      withCommandPrefix('There are no command-line agents yet. Add one: heddle agents add claude --adapter claude'),
    );
    return;
  }
  const rows = agents.map(({ name, adapter, program, path }) => [
    name,
    adapter,
    oneLine(program),
    path === null ? 'not found' : 'found',
  ]);
  printTable(out, [['name', 'adapter', 'program', 'state'], ...rows], 0);
  for (const { name, program, path } of agents)
    if (path === null) out.note(`${name}: "${oneLine(program)}" is not installed, or not in PATH.`);
  out.line(out.colors.dim([sandbox.sentence, sandbox.reason].filter(Boolean).join(' ')));
}

async function add(
  { out, directory, host }: Cli,
  name: string,
  words: readonly string[],
  options: AgentAddOptions,
): Promise<void> {
  const { adapter, permission, model, env, seconds } = options;
  if (words.length === 0 && (adapter === 'acp' || adapter === 'command'))
    throw usageError(`Name the program: heddle agents add ${oneLine(name)} --adapter ${adapter} -- PROGRAM ARGUMENTS.`);
  const entry = {
    adapter,
    ...(words.length > 0 && { command: words }),
    ...(permission && { permission }),
    ...(model && { model }),
    ...(env && { environment: env }),
    ...(seconds !== undefined && { seconds: parseInteger('--seconds', seconds) }),
  } as AgentClient;
  const problem = clientProblem(name, entry);
  if (problem) throw usageError(`${problem} Nothing was written.`);
  makeDirectory(directory);
  writeDefaultSettings(directory.settings);
  if (Object.hasOwn(readSettings(directory.settings).clients, name)) {
    const sentence = `There is already an agent "${name}". Choose another name, or change it in ${directory.settings}.`;
    throw new Failure('exists', sentence, EXIT.refused);
  }
  addClient(directory.settings, name, entry);
  if (out.json) return out.value({ name, entry, file: directory.settings });
  out.line(`Added "${name}" to ${directory.settings}.`);
  const { program, path } = await host.programOf(entry);
  if (path === null) out.line(`Its program "${oneLine(program)}" is not installed yet.`);
  out.line(out.colors.dim(`Test it: heddle agents test ${name}. Use it: heddle invite THREAD ID --client ${name}`));
}

async function test({ out, directory, host }: Cli, name: string): Promise<void> {
  const { clients, sandbox } = readSettings(directory.settings);
  const client = Object.hasOwn(clients, name) ? clients[name] : undefined;
  if (!client) {
    const knownNames = Object.keys(clients).join(', ') || 'none yet';
    throw new Failure(
      'unknown_agent',
      `There is no agent "${oneLine(name)}". Known agents: ${knownNames}.`,
      EXIT.refused,
    );
  }
  const trialDirectory = mkdtempSync(join(tmpdir(), 'heddle-trial-'));
  out.note(`Asking ${oneLine(name)} (Ctrl-C stops).`);
  const startedAt = performance.now();
  try {
    const seconds = client.seconds ?? TRIAL_SECONDS;
    const { hidden } = agentsDirectoryOf(directory.path);
    const trialOptions = { directory: trialDirectory, hidden, sandbox };
    const reply = await host.tryAgent(client, TRIAL_QUESTION, { ...trialOptions, seconds, signal: interruptSignal() });
    if ('cancelled' in reply) throw new Failure('stopped', 'Stopped.');
    if ('failed' in reply) throw new Failure('agent_failed', `${name} did not answer. ${reply.failed}`);
    const elapsedSeconds = (performance.now() - startedAt) / 1000;
    if (out.json) return out.value({ agent: name, ...reply, seconds: Number(elapsedSeconds.toFixed(2)) });
    out.line(sanitize(reply.text) || '(nothing)');
    const usageNote = reply.usage
      ? `, ${reply.usage.promptTokens} tokens read, ${reply.usage.generatedTokens} written`
      : '';
    out.line(out.colors.dim(`${name} answered in ${formatDuration(elapsedSeconds)}${usageNote}.`));
  } finally {
    rmSync(trialDirectory, { recursive: true, force: true });
  }
}
