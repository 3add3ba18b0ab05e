import { assemble } from '../assemble.ts';
import { cleanToken, dropRest, SETTINGS } from '../extra-fields.ts';
import { type Fields, isObject, list, number, own, text } from '../fields.ts';
import { readJson, type Value } from '../json.ts';
import type { Draft } from '../node-drafts.ts';
import { createReporter } from '../report.ts';
import type { Imported, TokenLogprob } from '../tree.ts';

/*
 * A mikupad session: one text in chunks, a token each where a model wrote it.
 * Its export writes every value as JSON within a string. It has no branches, so
 * it becomes one line of nodes, a new one wherever the writer changes.
 */

export function isMikupad(value: Value): boolean {
  if (own(value, 'prompt') === undefined) return false;
  return ['endpoint', 'endpointAPI', 'endpointAPIKey', 'maxPredictTokens', 'scrollTop'].some(
    (key) => own(value, key) !== undefined,
  );
}

export function readMikupad(value: Value, name: string): readonly Imported[] {
  const reporter = createReporter('mikupad');
  const session = unpacked(isObject(value) ? value : {});
  dropRest(session, ['prompt', 'name', 'endpointModel'], SETTINGS, reporter);
  const model = text(session, 'endpointModel')?.trim() || undefined;
  const prompt = own(session, 'prompt');
  const chunks = typeof prompt === 'string' ? [prompt] : (list(session, 'prompt') ?? []);
  const drafts: (Draft & { content: string; logprobs?: TokenLogprob[] })[] = [];
  for (const [index, chunk] of chunks.entries()) {
    const content = typeof chunk === 'string' ? chunk : text(chunk, 'content');
    if (content === undefined) {
      reporter.problem('A chunk has no text.', `chunk ${index + 1}`);
      continue;
    }
    const kind = typeof chunk === 'string' || own(chunk, 'type') === 'user' ? 'human' : 'model';
    let last = drafts[drafts.length - 1];
    if (last?.kind !== kind) {
      last = {
        id: `chunk-${index + 1}`,
        kind,
        content: '',
        ...(kind === 'model' && { logprobs: [], ...(model !== undefined && { model }) }),
      };
      if (drafts.length > 0) last.parent = drafts.length - 1;
      drafts.push(last);
    }
    last.content += content;
    if (kind === 'model') last.logprobs?.push(tokenOf(chunk, content));
  }
  for (const draft of drafts) if (draft.logprobs?.every(({ logprob }) => logprob === undefined)) delete draft.logprobs;
  const title = text(session, 'name') ?? name;
  return [assemble({ title, drafts, active: drafts.length - 1 }, reporter)];
}

function unpacked(session: Fields): Fields {
  const values = Object.entries(session).map(([key, value]): [string, Value] => {
    if (typeof value !== 'string' || !/^\s*(["[{]|-?\d|true|false|null)/.test(value)) return [key, value];
    const read = readJson(value);
    return [key, 'problem' in read ? value : read.value];
  });
  return Object.fromEntries(values);
}

function tokenOf(chunk: Value, content: string): TokenLogprob {
  const top = (list(list(chunk, 'completion_probabilities')?.[0], 'probs') ?? []).flatMap((other) => {
    const logprob = logOf(number(other, 'prob'));
    const token = text(other, 'tok_str');
    return logprob === undefined || token === undefined ? [] : [{ token: cleanToken(token), logprob }];
  });
  const logprob = logOf(number(chunk, 'prob'));
  return { token: cleanToken(content), ...(logprob !== undefined && { logprob }), ...(top.length > 0 && { top }) };
}

/** Where the probability was unknown it says -1. */
function logOf(probability: number | undefined): number | undefined {
  return probability !== undefined && probability > 0 && probability <= 1 ? Math.log(probability) : undefined;
}
