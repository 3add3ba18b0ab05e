import { z } from 'zod';
import type { Json } from '../../core/events/event.ts';
import type { CallFacts } from '../../core/mode.ts';
import { openBlob } from '../../log/blobs.ts';
import { sha256 } from '../../log/seal.ts';
import type { AccountCall, AccountInput, AccountStep } from '../../protocol/explain.ts';
import type { ExplainContext, ProofCheck } from './account.ts';

/** The input shown to the model, as described by its dialogue, loom, exchange or thread. */
export interface ShownFacts {
  readonly what: string;
  readonly pieces: readonly AccountStep[];
}

interface CallAccount {
  readonly call: AccountCall;
  readonly shown: AccountInput;
  readonly checks: readonly ProofCheck[];
}

const messageSchema = z.object({ role: z.string(), content: z.string() });
const recordSchema = z.object({
  at: z.string(),
  promptHash: z.string(),
  request: z.looseObject({
    prompt: z.string().optional(),
    suffix: z.string().optional(),
    messages: z.array(messageSchema).optional(),
  }),
  latency: z.object({ totalMs: z.number() }).optional(),
  usage: z.object({ promptTokens: z.number(), generatedTokens: z.number() }).optional(),
  cost: z.number().optional(),
  choices: z.array(z.object({ text: z.string() })).optional(),
  response: z.unknown().optional(),
});
type CallRecord = z.infer<typeof recordSchema>;
type StoredCall =
  | { readonly record: CallRecord; readonly checks: readonly ProofCheck[] }
  | { readonly missing: string };

/** Explains a model call, with the request if it was kept (M5). */
export async function explainCall(
  { engine, whole }: ExplainContext,
  facts: CallFacts,
  shown: ShownFacts,
): Promise<CallAccount> {
  const { model, small, raw, seed } = facts;
  const stored = await readCall(engine.log, raw);
  const callRecord = 'record' in stored ? stored.record : undefined;
  const usage = facts.usage ?? usageIn(callRecord);
  const cost = facts.cost ?? callRecord?.cost;
  const latency_ms = facts.latency_ms ?? callRecord?.latency?.totalMs;
  const messages = callRecord ? messagesIn(callRecord) : [];
  const missing = 'missing' in stored ? stored.missing : undefined;
  const call: AccountCall = {
    what: [`It came from a call of the model "${model}"${small ? ', a small one' : ''}.`, missing]
      .filter(Boolean)
      .join(' '),
    model,
    ...(small && { small }),
    ...(callRecord && { at: callRecord.at }),
    settings: { ...(seed !== undefined && { seed }), ...(callRecord && settingsIn(callRecord)) },
    ...(usage && { usage }),
    ...(cost !== undefined && { cost }),
    ...(latency_ms !== undefined && { latency_ms }),
    ...(raw !== undefined && { raw: { hash: raw, kept: callRecord !== undefined } }),
    ...(whole && callRecord && { response: responseIn(callRecord) }),
  };
  const shownInput: AccountInput = {
    what: shown.what,
    pieces: [...shown.pieces],
    ...(callRecord && {
      chars: messages.reduce((sum, { text }) => sum + text.length, 0),
      hash: callRecord.promptHash,
      ...(whole && { messages }),
    }),
  };
  return { call, shown: shownInput, checks: 'checks' in stored ? stored.checks : [] };
}

async function readCall(log: ExplainContext['engine']['log'], raw: string | undefined): Promise<StoredCall> {
  if (raw === undefined) return { missing: 'Neither the request nor the raw response was kept.' };
  const blob = await log.blob(raw);
  if (!blob) return { missing: 'The raw response is not in this workspace, only its hash: it was not imported.' };
  try {
    const content = JSON.parse((await openBlob(blob)).toString());
    const parsed = recordSchema.safeParse(content);
    if (!parsed.success) return { missing: 'The raw response has a form this version cannot read.' };
    return { record: parsed.data, checks: checksOf(JSON.stringify(content.request), parsed.data.promptHash) };
  } catch {
    return { missing: 'The raw response is damaged: it does not match its hash.' };
  }
}

function usageIn(callRecord: CallRecord | undefined): CallFacts['usage'] {
  return callRecord?.usage && { prompt: callRecord.usage.promptTokens, generated: callRecord.usage.generatedTokens };
}

const SETTINGS: Readonly<globalThis.Record<string, string>> = {
  maxTokens: 'max_tokens',
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  seed: 'seed',
  n: 'n',
  stop: 'stop',
  logprobs: 'logprobs',
  truncate: 'truncate',
};

function settingsIn({ request }: CallRecord): AccountCall['settings'] {
  const settings = Object.entries(SETTINGS).flatMap(([name, label]) => {
    const value = request[name] as Json | undefined;
    return value === undefined || value === null || typeof value === 'boolean' ? [] : [[label, value]];
  });
  return Object.fromEntries(settings);
}

function messagesIn({ request: { prompt, suffix, messages = [] } }: CallRecord): { role: string; text: string }[] {
  return [
    ...messages.map(({ role, content }) => ({ role, text: content })),
    ...(prompt === undefined ? [] : [{ role: 'text', text: prompt }]),
    ...(suffix === undefined ? [] : [{ role: 'what follows', text: suffix }]),
  ];
}

/** The raw response body. A model in this process has none, so its texts stand in for it. */
function responseIn({ response, choices = [] }: CallRecord): string {
  const body = typeof response === 'object' && response !== null ? (response as { body?: unknown }).body : response;
  return typeof body === 'string' ? body : choices.map(({ text }) => text).join('\n\n');
}

function checksOf(request: string, promptHash: string): readonly ProofCheck[] {
  const intact = { what: 'The raw response matches its hash.', holds: true };
  // A request that had a secret removed before it was stored cannot match the hash of what was sent.
  if (request.includes('[removed]')) return [intact];
  return [
    intact,
    { what: 'The request matches the hash recorded when it was sent.', holds: sha256(request) === promptHash },
  ];
}
