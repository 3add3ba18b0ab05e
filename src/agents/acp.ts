import type { ClientEntry } from '../models/registry/schema.ts';
import type { Agent, AgentFailure, AgentQuestion, AgentReply, AgentRunOptions } from './agent.ts';
import { clientPaths } from './client-paths.ts';
import { asObject, asText, type LooseObject, parseObject, sumCounts, usageFrom } from './output.ts';
import { createLineSplitter } from './program/byte-buffer.ts';
import { type AgentProgram, startCappedProgram, toReadableText } from './program/capped-program.ts';
import { describeExit, outputLimitFailure, startFailure, timeoutFailure, UNREADABLE_FAILURE } from './program-agent.ts';

/*
 * The Agent Client Protocol, version 1: JSON-RPC lines on standard input and output. Each question starts one process,
 * which resumes the thread's session if the agent supports that. We offer the agent no file or terminal access and
 * refuse every permission request: the mode the agent starts in decides what it may do.
 */
const PROTOCOL_VERSION = 1;
const AUTH_REQUIRED = -32000;
const METHOD_NOT_FOUND = -32601;

export function createAcpAgent(settings: ClientEntry): Agent {
  const { command = [], permission, environment = [] } = settings;
  const program = { command, environment, ...clientPaths(settings) };
  return {
    environment,
    async ask(question, runOptions) {
      try {
        return await runConversation(program, permission, question, runOptions);
      } catch (error) {
        return startFailure(command[0] ?? '', error);
      }
    },
  };
}

async function runConversation(
  program: AgentProgram,
  mode: string | undefined,
  question: AgentQuestion,
  runOptions: AgentRunOptions,
): Promise<AgentReply | AgentFailure> {
  const chunks: string[] = [];
  let isListening = false;
  const connection = await connect(program, runOptions, (method, params) => {
    const update = asObject(params.update);
    if (method !== 'session/update' || update.sessionUpdate !== 'agent_message_chunk' || !isListening) return;
    chunks.push(asText(asObject(update.content).text) ?? '');
  });

  async function runSession(): Promise<AgentReply> {
    const clientFeatures = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };
    const agent = await connection.request('initialize', {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: clientFeatures,
    });
    if (agent.protocolVersion !== PROTOCOL_VERSION)
      throw new AcpError(
        `It speaks version ${Number(agent.protocolVersion)} of the protocol, Heddle speaks version ${PROTOCOL_VERSION}.`,
      );
    const { session, resumed } = await openSession(
      connection.request,
      asObject(agent.agentCapabilities),
      question,
      runOptions,
    );
    if (mode !== undefined) await connection.request('session/set_mode', { sessionId: session, modeId: mode });
    // A resumed session may replay old messages; only chunks after this point are new.
    isListening = true;
    const text = resumed ? (question.resume?.news ?? question.prompt) : question.prompt;
    const turn = await connection.request('session/prompt', { sessionId: session, prompt: [{ type: 'text', text }] });
    if (turn.stopReason === 'refusal') throw new AcpError('It refused to answer.');
    const usage = asObject(turn.usage);
    return {
      text: toReadableText(chunks.join('')).trim(),
      session,
      resumed,
      ...usageFrom(sumCounts(usage.inputTokens), sumCounts(usage.outputTokens)),
    };
  }

  const conversation = runSession().then(
    (reply) => reply,
    (error: unknown) => ({ failed: (error as Error).message }),
  );
  const reply = await Promise.race([conversation, connection.exit.then(() => undefined)]);
  connection.finish();
  const { endReason, ...exit } = await connection.exit;
  if (endReason === 'cancelled') return { cancelled: true };
  if (endReason === 'time') return timeoutFailure(runOptions.caps);
  if (endReason === 'unreadable') return UNREADABLE_FAILURE;
  if (reply !== undefined && !('failed' in reply)) return reply;
  const partial = toReadableText(chunks.join('')).trim();
  if (endReason === 'output')
    return partial === '' ? outputLimitFailure(runOptions.caps) : { text: partial, resumed: false, cut: true };
  return { failed: reply === undefined ? describeExit('', exit) : describeExit(reply.failed, { ...exit, code: 0 }) };
}

type AcpRequest = (method: string, params: LooseObject) => Promise<LooseObject>;

/** Resumes the thread's session if the agent still has it, else opens a new one. */
async function openSession(
  request: AcpRequest,
  capabilities: LooseObject,
  { resume }: AgentQuestion,
  { directory }: AgentRunOptions,
) {
  const sessionParams = { cwd: directory, mcpServers: [] };
  const method = asObject(capabilities.sessionCapabilities).resume
    ? 'session/resume'
    : capabilities.loadSession
      ? 'session/load'
      : undefined;
  if (resume && method) {
    const { session } = resume;
    const isResumed = await request(method, { sessionId: session, ...sessionParams }).then(
      () => true,
      () => false,
    );
    if (isResumed) return { session, resumed: true };
  }
  const { sessionId } = await request('session/new', sessionParams);
  if (typeof sessionId !== 'string') throw new AcpError('It did not open a session.');
  return { session: sessionId, resumed: false };
}

class AcpError extends Error {}

async function connect(
  program: AgentProgram,
  runOptions: AgentRunOptions,
  onNotification: (method: string, params: LooseObject) => void,
) {
  const pendingRequests = new Map<number, { resolve(result: LooseObject): void; reject(error: Error): void }>();
  let lastId = 0;
  const onOutput = createLineSplitter((line) => {
    const message = parseObject(line);
    if (message) handleMessage(message);
  });
  const { stdin, exit, finish } = await startCappedProgram(program, runOptions, onOutput);

  function handleMessage({ id, method, params, result, error }: LooseObject) {
    if (typeof method === 'string') {
      if (id === undefined || id === null) return onNotification(method, asObject(params));
      // Echo only plain ids: a deeply nested one could not be serialized.
      if (typeof id !== 'string' && typeof id !== 'number') return;
      return send({ id, ...replyTo(method, asObject(params)) });
    }
    const pending = pendingRequests.get(id as number);
    if (!pending) return;
    pendingRequests.delete(id as number);
    if (error === undefined) pending.resolve(asObject(result));
    else pending.reject(new AcpError(errorText(asObject(error))));
  }

  function send(message: object) {
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  const request: AcpRequest = (method, params) =>
    new Promise((resolve, reject) => {
      pendingRequests.set(++lastId, { resolve, reject });
      send({ id: lastId, method, params });
    });
  return { request, exit, finish };
}

/** Refuses every request of the agent: no permissions and no access to our files or terminal. */
function replyTo(method: string, { options }: LooseObject): object {
  if (method !== 'session/request_permission')
    return { error: { code: METHOD_NOT_FOUND, message: `${method} is not offered here.` } };
  const permissionOptions = (Array.isArray(options) ? options.map(asObject) : []).filter(({ optionId }) =>
    asText(optionId),
  );
  const rejection =
    permissionOptions.find(({ kind }) => kind === 'reject_once') ??
    permissionOptions.find(({ kind }) => kind === 'reject_always');
  return {
    result: { outcome: rejection ? { outcome: 'selected', optionId: rejection.optionId } : { outcome: 'cancelled' } },
  };
}

function errorText({ code, message, data }: LooseObject): string {
  if (code === AUTH_REQUIRED)
    return 'You must sign in first. Start the program once yourself, or name the variable of its key under "environment" in heddle.yaml.';
  const detail = asText(data) ?? asText(asObject(data).details) ?? asText(asObject(data).message);
  return toReadableText([asText(message) ?? 'It failed.', detail].filter(Boolean).join(' ').slice(0, 500));
}
