import type { ClientEntry } from '../models/registry/schema.ts';
import { createAcpAgent } from './acp.ts';
import type { Agent, AgentQuestion } from './agent.ts';
import { clientPaths } from './client-paths.ts';
import { asObject, asText, parseJsonLines, parseLastJson, sumCounts, unreadableFailure, usageFrom } from './output.ts';
import { createProgramAgent, type ProgramAdapter } from './program-agent.ts';

/** Creates the agent for a client in heddle.yaml, in its own safe mode unless the settings say otherwise (I10). */
export function createAgent(settings: ClientEntry): Agent {
  if (settings.adapter === 'acp') return createAcpAgent(settings);
  const adapter = ADAPTERS[settings.adapter](settings);
  const environment = [...adapter.environment, ...(settings.environment ?? [])];
  return createProgramAgent({ ...adapter, ...clientPaths(settings), environment });
}

const ADAPTERS: Record<Exclude<ClientEntry['adapter'], 'acp'>, (settings: ClientEntry) => ProgramAdapter> = {
  claude,
  codex,
  gemini,
  command: customCommand,
};

/** Runs any program: it reads the question as JSON on standard input and prints the answer as text. */
function customCommand({ command = [] }: ClientEntry): ProgramAdapter {
  return {
    environment: [],
    command: ({ participant, thread, title, prompt }) => ({
      command,
      input: `${JSON.stringify({ participant, thread, title, prompt })}\n`,
    }),
    read: (stdout) => ({ text: stdout.trim(), resumed: false }),
  };
}

function claude({ command = ['claude'], permission = 'plan', model }: ClientEntry): ProgramAdapter {
  return {
    environment: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CONFIG_DIR'],
    command: (question) => ({
      input: inputFor(question),
      command: [
        ...command,
        ...['--print', '--output-format', 'json', '--permission-mode', permission],
        ...(model === undefined ? [] : ['--model', model]),
        ...(question.resume ? ['--resume', question.resume.session] : []),
      ],
    }),
    read(stdout, { resume }, stderr) {
      const output = parseLastJson(stdout);
      const text = asText(output.result);
      if (/no conversation found/i.test(stdout + stderr)) return { failed: 'Its session is gone.', lost: true };
      if (text === undefined) return unreadableFailure(stdout);
      if (output.is_error) return { failed: text };
      const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = asObject(
        output.usage,
      );
      const promptTokens = sumCounts(input_tokens, cache_creation_input_tokens, cache_read_input_tokens);
      return {
        text: text.trim(),
        resumed: resume !== undefined,
        ...sessionFrom(output.session_id),
        ...usageFrom(promptTokens, sumCounts(output_tokens), output.total_cost_usd),
      };
    },
  };
}

function codex({ command = ['codex'], permission = 'read-only', model }: ClientEntry): ProgramAdapter {
  return {
    environment: ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'CODEX_HOME', 'CODEX_API_KEY'],
    command: (question) => ({
      input: inputFor(question),
      command: [
        ...command,
        'exec',
        ...['--json', '--skip-git-repo-check', '--sandbox', permission],
        ...(model === undefined ? [] : ['--model', model]),
        ...(question.resume ? ['resume', question.resume.session] : []),
        '-',
      ],
    }),
    read(stdout, { resume }, stderr) {
      const lines = parseJsonLines(stdout);
      const messages = lines.flatMap(({ type, item }) => {
        const { type: kind, text } = asObject(item);
        return type === 'item.completed' && kind === 'agent_message' && typeof text === 'string' ? [text] : [];
      });
      const failure = lines.findLast(({ type }) => type === 'turn.failed' || type === 'error');
      if (messages.length === 0) {
        if (resume && /no rollout found|(?:session|thread).{0,100}not found/i.test(stdout + stderr))
          return { failed: 'Its session is gone.', lost: true };
        if (!failure) return unreadableFailure(stdout);
        return { failed: asText(asObject(failure.error).message) ?? asText(failure.message) ?? 'It failed.' };
      }
      const usage = asObject(lines.findLast(({ type }) => type === 'turn.completed')?.usage);
      return {
        text: (messages.at(-1) as string).trim(),
        resumed: resume !== undefined,
        ...sessionFrom(lines.find(({ type }) => type === 'thread.started')?.thread_id),
        usage: {
          promptTokens: sumCounts(usage.input_tokens),
          generatedTokens: sumCounts(usage.output_tokens),
          ofSession: true,
        },
      };
    },
  };
}

function gemini({ command = ['gemini'], permission = 'default', model }: ClientEntry): ProgramAdapter {
  return {
    environment: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GEMINI_BASE_URL', 'GEMINI_CLI_HOME'],
    command: (question) => ({
      input: inputFor(question),
      command: [
        ...command,
        // The agent owns this directory; without --skip-trust it refuses to work there.
        ...['--output-format', 'json', '--skip-trust', '--approval-mode', permission],
        ...(model === undefined ? [] : ['--model', model]),
        ...(question.resume ? ['--resume', question.resume.session] : []),
      ],
    }),
    read(stdout, { resume }, stderr) {
      const output = parseLastJson(stdout);
      const text = asText(output.response);
      const failed = asText(asObject(output.error).message) ?? asText(asObject(parseLastJson(stderr).error).message);
      if (resume && /error resuming session|invalid session/i.test(stdout + stderr))
        return { failed: 'Its session is gone.', lost: true };
      if (failed !== undefined) return { failed };
      if (text === undefined) return unreadableFailure(stdout);
      const models = Object.values(asObject(asObject(output.stats).models)).map((each) =>
        asObject(asObject(each).tokens),
      );
      return {
        text: text.trim(),
        resumed: resume !== undefined,
        ...sessionFrom(output.session_id),
        ...usageFrom(
          sumCounts(...models.map(({ prompt }) => prompt)),
          sumCounts(...models.flatMap(({ candidates, thoughts }) => [candidates, thoughts])),
        ),
      };
    },
  };
}

/** A resumed session gets only the messages it has not seen yet. */
function inputFor({ prompt, resume }: AgentQuestion): string {
  return resume?.news ?? prompt;
}

/** The session id becomes a command-line argument, so it must not look like an option. */
function sessionFrom(value: unknown): { session?: string } {
  return typeof value === 'string' && /^\w[\w.:-]{0,199}$/.test(value) ? { session: value } : {};
}
