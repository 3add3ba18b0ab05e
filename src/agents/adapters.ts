import { createAcp } from './acp.ts';
import type { Agent, ClientSettings, Question } from './agent.ts';
import { ownPlaces } from './client-paths.ts';
import { countIn, jsonLines, lastJson, loose, textIn, unreadable, usageOf } from './output.ts';
import { type Adapter, byProgram } from './program-agent.ts';

/** The agent a client of heddle.yaml means, in the safe mode of its own unless the settings say otherwise (I10). */
export function agentFor(settings: ClientSettings): Agent {
  if (settings.adapter === 'acp') return createAcp(settings);
  const adapter = ADAPTERS[settings.adapter](settings);
  const environment = [...adapter.environment, ...(settings.environment ?? [])];
  return byProgram({ ...adapter, ...ownPlaces(settings), environment });
}

const ADAPTERS: Record<Exclude<ClientSettings['adapter'], 'acp'>, (settings: ClientSettings) => Adapter> = {
  claude,
  codex,
  gemini,
  command: anyProgram,
};

/** Any program: the question as JSON on standard input, the answer as text on standard output. */
function anyProgram({ command = [] }: ClientSettings): Adapter {
  return {
    environment: [],
    command: ({ participant, thread, title, prompt }) => ({
      command,
      input: `${JSON.stringify({ participant, thread, title, prompt })}\n`,
    }),
    read: (stdout) => ({ text: stdout.trim(), resumed: false }),
  };
}

function claude({ command = ['claude'], permission = 'plan', model }: ClientSettings): Adapter {
  return {
    environment: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CONFIG_DIR'],
    command: (question) => ({
      input: heardBy(question),
      command: [
        ...command,
        ...['--print', '--output-format', 'json', '--permission-mode', permission],
        ...(model === undefined ? [] : ['--model', model]),
        ...(question.going ? ['--resume', question.going.session] : []),
      ],
    }),
    read(stdout, { going }, stderr) {
      const answer = lastJson(stdout);
      const text = textIn(answer.result);
      if (/no conversation found/i.test(stdout + stderr)) return { failed: 'Its session is gone.', lost: true };
      if (text === undefined) return unreadable(stdout);
      if (answer.is_error) return { failed: text };
      const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = loose(answer.usage);
      const read = countIn(input_tokens, cache_creation_input_tokens, cache_read_input_tokens);
      return {
        text: text.trim(),
        resumed: going !== undefined,
        ...sessionIn(answer.session_id),
        ...usageOf(read, countIn(output_tokens), answer.total_cost_usd),
      };
    },
  };
}

function codex({ command = ['codex'], permission = 'read-only', model }: ClientSettings): Adapter {
  return {
    environment: ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'CODEX_HOME', 'CODEX_API_KEY'],
    command: (question) => ({
      input: heardBy(question),
      command: [
        ...command,
        'exec',
        ...['--json', '--skip-git-repo-check', '--sandbox', permission],
        ...(model === undefined ? [] : ['--model', model]),
        ...(question.going ? ['resume', question.going.session] : []),
        '-',
      ],
    }),
    read(stdout, { going }, stderr) {
      const lines = jsonLines(stdout);
      const said = lines.flatMap(({ type, item }) => {
        const { type: kind, text } = loose(item);
        return type === 'item.completed' && kind === 'agent_message' && typeof text === 'string' ? [text] : [];
      });
      const failed = lines.findLast(({ type }) => type === 'turn.failed' || type === 'error');
      if (said.length === 0) {
        if (going && /no rollout found|(?:session|thread).{0,100}not found/i.test(stdout + stderr))
          return { failed: 'Its session is gone.', lost: true };
        if (!failed) return unreadable(stdout);
        return { failed: textIn(loose(failed.error).message) ?? textIn(failed.message) ?? 'It failed.' };
      }
      const used = loose(lines.findLast(({ type }) => type === 'turn.completed')?.usage);
      return {
        text: (said.at(-1) as string).trim(),
        resumed: going !== undefined,
        ...sessionIn(lines.find(({ type }) => type === 'thread.started')?.thread_id),
        usage: {
          promptTokens: countIn(used.input_tokens),
          generatedTokens: countIn(used.output_tokens),
          ofSession: true,
        },
      };
    },
  };
}

function gemini({ command = ['gemini'], permission = 'default', model }: ClientSettings): Adapter {
  return {
    environment: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GEMINI_BASE_URL', 'GEMINI_CLI_HOME'],
    command: (question) => ({
      input: heardBy(question),
      command: [
        ...command,
        // The directory is the agent's own; without this it does nothing there at all.
        ...['--output-format', 'json', '--skip-trust', '--approval-mode', permission],
        ...(model === undefined ? [] : ['--model', model]),
        ...(question.going ? ['--resume', question.going.session] : []),
      ],
    }),
    read(stdout, { going }, stderr) {
      const answer = lastJson(stdout);
      const text = textIn(answer.response);
      const failed = textIn(loose(answer.error).message) ?? textIn(loose(lastJson(stderr).error).message);
      if (going && /error resuming session|invalid session/i.test(stdout + stderr))
        return { failed: 'Its session is gone.', lost: true };
      if (failed !== undefined) return { failed };
      if (text === undefined) return unreadable(stdout);
      const models = Object.values(loose(loose(answer.stats).models)).map((each) => loose(loose(each).tokens));
      return {
        text: text.trim(),
        resumed: going !== undefined,
        ...sessionIn(answer.session_id),
        ...usageOf(
          countIn(...models.map(({ prompt }) => prompt)),
          countIn(...models.flatMap(({ candidates, thoughts }) => [candidates, thoughts])),
        ),
      };
    },
  };
}

/** One that goes on from before is told what it has not heard. */
function heardBy({ prompt, going }: Question): string {
  return going?.news ?? prompt;
}

/** What it calls its talk becomes one of its words: never one that it takes for an option. */
function sessionIn(value: unknown): { session?: string } {
  return typeof value === 'string' && /^\w[\w.:-]{0,199}$/.test(value) ? { session: value } : {};
}
