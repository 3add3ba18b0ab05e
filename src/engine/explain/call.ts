import { z } from 'zod';
import type { Json } from '../../core/events/event.ts';
import { openBlob } from '../../log/blobs.ts';
import { sha256 } from '../../log/seal.ts';
import type { ExplainedCall, ExplainedShown, Step } from '../../protocol/explain.ts';
import type { Asking, Check } from './account.ts';

/** What an event itself says of the call it came from. */
export interface CallFacts {
  readonly model: string;
  readonly small?: true | undefined;
  readonly raw?: string | undefined;
  readonly usage?: { readonly prompt: number; readonly generated: number; readonly estimated?: true | undefined };
  readonly cost?: number | undefined;
  readonly latency_ms?: number | undefined;
  readonly seed?: number | undefined;
}

/** What was shown, as the place it was shown in tells it. */
export interface ShownFacts {
  readonly what: string;
  readonly pieces: readonly Step[];
}

interface Told {
  readonly call: ExplainedCall;
  readonly shown: ExplainedShown;
  readonly checks: readonly Check[];
}

const message = z.object({ role: z.string(), content: z.string() });
const record = z.object({
  at: z.string(),
  promptHash: z.string(),
  request: z.looseObject({
    prompt: z.string().optional(),
    suffix: z.string().optional(),
    messages: z.array(message).optional(),
  }),
  latency: z.object({ totalMs: z.number() }).optional(),
  usage: z.object({ promptTokens: z.number(), generatedTokens: z.number() }).optional(),
  cost: z.number().optional(),
  choices: z.array(z.object({ text: z.string() })).optional(),
  response: z.unknown().optional(),
});
type Record = z.infer<typeof record>;
type Kept = { readonly record: Record; readonly checks: readonly Check[] } | { readonly missing: string };

/** The call of a model, with what was sent to it where that was kept (M5). */
export async function callOf({ engine, whole }: Asking, facts: CallFacts, shown: ShownFacts): Promise<Told> {
  const { model, small, raw, seed } = facts;
  const kept = await keptIn(engine.log, raw);
  const found = 'record' in kept ? kept.record : undefined;
  const usage = facts.usage ?? usageIn(found);
  const cost = facts.cost ?? found?.cost;
  const latency_ms = facts.latency_ms ?? found?.latency?.totalMs;
  const messages = found ? messagesIn(found) : [];
  const missing = 'missing' in kept ? kept.missing : undefined;
  const call: ExplainedCall = {
    what: [`It came from a call of the model "${model}"${small ? ', a small one' : ''}.`, missing]
      .filter(Boolean)
      .join(' '),
    model,
    ...(small && { small }),
    ...(found && { at: found.at }),
    settings: { ...(seed !== undefined && { seed }), ...(found && settingsIn(found)) },
    ...(usage && { usage }),
    ...(cost !== undefined && { cost }),
    ...(latency_ms !== undefined && { latency_ms }),
    ...(raw !== undefined && { raw: { hash: raw, kept: found !== undefined } }),
    ...(whole && found && { response: responseIn(found) }),
  };
  const sent: ExplainedShown = {
    what: shown.what,
    pieces: [...shown.pieces],
    ...(found && {
      chars: messages.reduce((sum, { text }) => sum + text.length, 0),
      hash: found.promptHash,
      ...(whole && { messages }),
    }),
  };
  return { call, shown: sent, checks: 'checks' in kept ? kept.checks : [] };
}

async function keptIn(log: Asking['engine']['log'], raw: string | undefined): Promise<Kept> {
  if (raw === undefined) return { missing: 'The raw response was not kept, and neither was what was sent.' };
  const blob = await log.blob(raw);
  if (!blob) return { missing: 'The raw response is not in this workspace, only its hash: it was not brought along.' };
  try {
    const read = JSON.parse((await openBlob(blob)).toString());
    const parsed = record.safeParse(read);
    if (!parsed.success) return { missing: 'The raw response has a form this version cannot read.' };
    return { record: parsed.data, checks: checksOf(JSON.stringify(read.request), parsed.data.promptHash) };
  } catch {
    return { missing: 'The raw response is damaged: it is not what its hash says.' };
  }
}

function usageIn(found: Record | undefined): CallFacts['usage'] {
  return found?.usage && { prompt: found.usage.promptTokens, generated: found.usage.generatedTokens };
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

function settingsIn({ request }: Record): ExplainedCall['settings'] {
  const given = Object.entries(SETTINGS).flatMap(([name, told]) => {
    const value = request[name] as Json | undefined;
    return value === undefined || value === null || typeof value === 'boolean' ? [] : [[told, value]];
  });
  return Object.fromEntries(given);
}

function messagesIn({ request: { prompt, suffix, messages = [] } }: Record): { role: string; text: string }[] {
  return [
    ...messages.map(({ role, content }) => ({ role, text: content })),
    ...(prompt === undefined ? [] : [{ role: 'text', text: prompt }]),
    ...(suffix === undefined ? [] : [{ role: 'what follows', text: suffix }]),
  ];
}

/** The body as it came; a model in this process sends none, and then its texts are all there is. */
function responseIn({ response, choices = [] }: Record): string {
  const body = typeof response === 'object' && response !== null ? (response as { body?: unknown }).body : response;
  return typeof body === 'string' ? body : choices.map(({ text }) => text).join('\n\n');
}

function checksOf(request: string, promptHash: string): readonly Check[] {
  const whole = { what: 'The raw response is what its hash says.', holds: true };
  // Where a secret was taken out of it before it was kept, it cannot hash to what was sent.
  if (request.includes('[removed]')) return [whole];
  return [
    whole,
    { what: 'What was sent hashes to what was noted when it was sent.', holds: sha256(request) === promptHash },
  ];
}
