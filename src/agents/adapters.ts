import type { Adapter, Question, Reply } from './agent.ts';

/** What a client of the registry says (C5). */
export interface ClientSettings {
  readonly adapter: 'claude' | 'codex' | 'gemini' | 'acp' | 'command';
  readonly command?: readonly string[];
  readonly permission?: string;
  readonly model?: string;
}

/** The program's own safe mode unless the settings say otherwise (I10). */
export function adapterFor(settings: ClientSettings): Adapter {
  switch (settings.adapter) {
    case 'claude':
      return claude(settings);
    case 'codex':
      return codex(settings);
    case 'gemini':
      return gemini(settings);
    default:
      return anyCommand(settings);
  }
}

/** Any program: the question as JSON on standard input, the answer as text on standard output. */
function anyCommand({ command = [] }: ClientSettings): Adapter {
  return {
    command: (question) => ({ command, input: `${JSON.stringify(question)}\n` }),
    read: (stdout) => ({ text: stdout.trim(), resumed: false }),
  };
}

function claude({ command = ['claude'], permission = 'plan', model }: ClientSettings): Adapter {
  return {
    environment: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CONFIG_DIR'],
    command: ({ prompt, session }) => ({
      input: prompt,
      command: [
        ...command,
        ...['--print', '--output-format', 'json', '--permission-mode', permission],
        ...(model === undefined ? [] : ['--model', model]),
        ...(session === undefined ? [] : ['--resume', session]),
      ],
    }),
    read(stdout, { session }) {
      const answer = lastJson(stdout) as {
        result?: unknown;
        session_id?: unknown;
        is_error?: boolean;
        usage?: Numbers;
      };
      if (typeof answer?.result !== 'string') return unreadable(stdout);
      if (answer.is_error) return { failed: answer.result };
      return {
        text: answer.result.trim(),
        resumed: session !== undefined,
        ...(typeof answer.session_id === 'string' && { session: answer.session_id }),
        ...usageOf(answer.usage),
      };
    },
  };
}

function codex({ command = ['codex'], permission = 'read-only', model }: ClientSettings): Adapter {
  return {
    environment: ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'CODEX_HOME', 'CODEX_API_KEY'],
    command: ({ prompt, session }) => ({
      input: prompt,
      command: [
        ...command,
        'exec',
        ...['--json', '--skip-git-repo-check', '--sandbox', permission],
        ...(model === undefined ? [] : ['--model', model]),
        ...(session === undefined ? [] : ['resume', session]),
        '-',
      ],
    }),
    read(stdout, { session }) {
      const events = jsonLines(stdout);
      const said = events.flatMap(({ type, item }) =>
        type === 'item.completed' && item?.type === 'agent_message' && typeof item.text === 'string' ? [item.text] : [],
      );
      const failed = events.find(({ type }) => type === 'error' || type === 'turn.failed');
      const begun = events.find(({ type }) => type === 'thread.started')?.thread_id;
      if (said.length === 0)
        return failed ? { failed: JSON.stringify(failed.error ?? failed.message) } : unreadable(stdout);
      return {
        text: (said.at(-1) as string).trim(),
        resumed: session !== undefined,
        ...(typeof begun === 'string' && { session: begun }),
        ...usageOf(events.find(({ type }) => type === 'turn.completed')?.usage),
      };
    },
  };
}

function gemini({ command = ['gemini'], permission = 'default', model }: ClientSettings): Adapter {
  return {
    environment: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GEMINI_BASE_URL', 'GEMINI_CLI_HOME'],
    command: ({ prompt, session }) => ({
      input: prompt,
      command: [
        ...command,
        ...['--output-format', 'json', '--approval-mode', permission],
        ...(model === undefined ? [] : ['--model', model]),
        ...(session === undefined ? [] : ['--resume', session]),
      ],
    }),
    read(stdout, { session }) {
      const answer = lastJson(stdout) as { response?: unknown; session_id?: unknown; error?: { message?: string } };
      if (answer?.error?.message) return { failed: answer.error.message };
      if (typeof answer?.response !== 'string') return unreadable(stdout);
      return {
        text: answer.response.trim(),
        resumed: session !== undefined,
        ...(typeof answer.session_id === 'string' && { session: answer.session_id }),
      };
    },
  };
}

type Numbers = Readonly<Record<string, unknown>>;

function usageOf(usage: Numbers | undefined): Pick<Reply, 'usage'> {
  const counts = Object.entries(usage ?? {}).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  return counts.length === 0 ? {} : { usage: Object.fromEntries(counts) };
}

interface Line {
  readonly type?: string;
  readonly item?: { readonly type?: string; readonly text?: unknown };
  readonly thread_id?: unknown;
  readonly usage?: Numbers;
  readonly error?: unknown;
  readonly message?: unknown;
}

function jsonLines(text: string): readonly Line[] {
  return text.split('\n').flatMap((line) => {
    const value = parsed(line);
    return value === undefined ? [] : [value as Line];
  });
}

/** The answer is one document, whatever else was printed before it. */
function lastJson(text: string): unknown {
  const whole = parsed(text.slice(Math.max(0, text.indexOf('{'))));
  return whole ?? jsonLines(text).at(-1);
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function unreadable(stdout: string): { readonly failed: string } {
  const beginning = stdout.trim().slice(0, 200);
  return { failed: beginning === '' ? 'It printed nothing.' : `Its answer could not be read: ${beginning}` };
}

export type { Question };
