import type { Agent, Circumstances, ClientSettings, NoReply, Question, Reply } from './agent.ts';
import { ownPlaces } from './client-paths.ts';
import { countIn, type Loose, loose, parsed, textIn, usageOf } from './output.ts';
import { createLines } from './program/byte-buffer.ts';
import { type Program, readable, startCapped } from './program/capped-program.ts';
import { notStarted, told, tooLong, tooMuch, UNREADABLE } from './program-agent.ts';

/*
 * The Agent Client Protocol, version 1: JSON-RPC in lines on standard input and output. One process for each question,
 * which goes on in the session of the thread where the agent can. It is offered neither our files nor our terminal, and
 * whatever it asks leave for is refused: what it may do is up to the mode it is started in.
 */
const PROTOCOL = 1;
const AUTH_REQUIRED = -32000;
const METHOD_NOT_FOUND = -32601;

export function createAcp(settings: ClientSettings): Agent {
  const { command = [], permission, environment = [] } = settings;
  const program = { command, environment, ...ownPlaces(settings) };
  return {
    environment,
    async ask(question, circumstances) {
      try {
        return await talk(program, permission, question, circumstances);
      } catch (error) {
        return notStarted(command[0] ?? '', error);
      }
    },
  };
}

async function talk(
  program: Program,
  mode: string | undefined,
  question: Question,
  circumstances: Circumstances,
): Promise<Reply | NoReply> {
  const said: string[] = [];
  let listening = false;
  const connection = await connect(program, circumstances, (method, params) => {
    const update = loose(params.update);
    if (method !== 'session/update' || update.sessionUpdate !== 'agent_message_chunk' || !listening) return;
    said.push(textIn(loose(update.content).text) ?? '');
  });

  async function converse(): Promise<Reply> {
    const client = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };
    const agent = await connection.request('initialize', { protocolVersion: PROTOCOL, clientCapabilities: client });
    if (agent.protocolVersion !== PROTOCOL)
      throw new AcpError(
        `It speaks version ${Number(agent.protocolVersion)} of the protocol, Heddle version ${PROTOCOL}.`,
      );
    const { session, resumed } = await sessionOf(
      connection.request,
      loose(agent.agentCapabilities),
      question,
      circumstances,
    );
    if (mode !== undefined) await connection.request('session/set_mode', { sessionId: session, modeId: mode });
    // What it repeats of a session it was asked to go on with is nothing new.
    listening = true;
    const text = resumed ? (question.going?.news ?? question.prompt) : question.prompt;
    const turn = await connection.request('session/prompt', { sessionId: session, prompt: [{ type: 'text', text }] });
    if (turn.stopReason === 'refusal') throw new AcpError('It refused to answer.');
    const used = loose(turn.usage);
    return {
      text: readable(said.join('')).trim(),
      session,
      resumed,
      ...usageOf(countIn(used.inputTokens), countIn(used.outputTokens)),
    };
  }

  const conversation = converse().then(
    (reply) => reply,
    (error: unknown) => ({ failed: (error as Error).message }),
  );
  const reply = await Promise.race([conversation, connection.ended.then(() => undefined)]);
  connection.finish();
  const { why, ...end } = await connection.ended;
  if (why === 'cancelled') return { cancelled: true };
  if (why === 'time') return tooLong(circumstances.caps);
  if (why === 'unreadable') return UNREADABLE;
  if (reply !== undefined && !('failed' in reply)) return reply;
  const partial = readable(said.join('')).trim();
  if (why === 'output')
    return partial === '' ? tooMuch(circumstances.caps) : { text: partial, resumed: false, cut: true };
  return { failed: reply === undefined ? told('', end) : told(reply.failed, { ...end, code: 0 }) };
}

type Request = (method: string, params: Loose) => Promise<Loose>;

/** The thread's session where the agent still has it, else a new one. */
async function sessionOf(request: Request, able: Loose, { going }: Question, { directory }: Circumstances) {
  const place = { cwd: directory, mcpServers: [] };
  const how = loose(able.sessionCapabilities).resume ? 'session/resume' : able.loadSession ? 'session/load' : undefined;
  if (going && how) {
    const { session } = going;
    const found = await request(how, { sessionId: session, ...place }).then(
      () => true,
      () => false,
    );
    if (found) return { session, resumed: true };
  }
  const { sessionId } = await request('session/new', place);
  if (typeof sessionId !== 'string') throw new AcpError('It opened no session.');
  return { session: sessionId, resumed: false };
}

class AcpError extends Error {}

async function connect(
  program: Program,
  circumstances: Circumstances,
  notified: (method: string, params: Loose) => void,
) {
  const waiting = new Map<number, { resolve(result: Loose): void; reject(error: Error): void }>();
  let last = 0;
  const onOutput = createLines((line) => {
    const message = parsed(line);
    if (message) hear(message);
  });
  const { stdin, ended, finish } = await startCapped(program, circumstances, onOutput);

  function hear({ id, method, params, result, error }: Loose) {
    if (typeof method === 'string') {
      if (id === undefined || id === null) return notified(method, loose(params));
      // What is sent back must be plain: anything nested deeply enough could not even be written.
      if (typeof id !== 'string' && typeof id !== 'number') return;
      return send({ id, ...answerTo(method, loose(params)) });
    }
    const asked = waiting.get(id as number);
    if (!asked) return;
    waiting.delete(id as number);
    if (error === undefined) asked.resolve(loose(result));
    else asked.reject(new AcpError(complaint(loose(error))));
  }

  function send(message: object) {
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  const request: Request = (method, params) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      send({ id: last, method, params });
    });
  return { request, ended, finish };
}

/** It may do nothing by our leave, and gets nothing of ours. */
function answerTo(method: string, { options }: Loose): object {
  if (method !== 'session/request_permission')
    return { error: { code: METHOD_NOT_FOUND, message: `${method} is not offered here.` } };
  const choices = (Array.isArray(options) ? options.map(loose) : []).filter(({ optionId }) => textIn(optionId));
  const no = choices.find(({ kind }) => kind === 'reject_once') ?? choices.find(({ kind }) => kind === 'reject_always');
  return { result: { outcome: no ? { outcome: 'selected', optionId: no.optionId } : { outcome: 'cancelled' } } };
}

function complaint({ code, message, data }: Loose): string {
  if (code === AUTH_REQUIRED)
    return 'It wants you to sign in first. Start it once yourself, or name the variable of its key under "environment" in heddle.yaml.';
  const more = textIn(data) ?? textIn(loose(data).details) ?? textIn(loose(data).message);
  return readable([textIn(message) ?? 'It failed.', more].filter(Boolean).join(' ').slice(0, 500));
}
