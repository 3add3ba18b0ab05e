import { assembleLoom } from '../assemble.ts';
import { cleanToken, dropUnknown, OTHER_SETTINGS } from '../extra-fields.ts';
import { getField, getList, getNumber, getText, isObject, type JsonFields } from '../fields.ts';
import { type JsonValue, parseLooseJson } from '../json.ts';
import type { NodeDraft } from '../node-drafts.ts';
import { createImportReporter } from '../report.ts';
import type { ImportedLoom, TokenLogprob } from '../tree.ts';

/*
 * A mikupad session: one text in chunks; each chunk by a model is one token.
 * Its export writes every value as JSON within a string. It has no branches, so
 * it becomes one line of nodes, a new one wherever the writer changes.
 */

export function isMikupad(value: JsonValue): boolean {
  if (getField(value, 'prompt') === undefined) return false;
  return ['endpoint', 'endpointAPI', 'endpointAPIKey', 'maxPredictTokens', 'scrollTop'].some(
    (key) => getField(value, key) !== undefined,
  );
}

export function readMikupad(value: JsonValue, name: string): readonly ImportedLoom[] {
  const reporter = createImportReporter('mikupad');
  const session = unpackValues(isObject(value) ? value : {});
  dropUnknown(session, ['prompt', 'name', 'endpointModel'], OTHER_SETTINGS, reporter);
  const model = getText(session, 'endpointModel')?.trim() || undefined;
  const prompt = getField(session, 'prompt');
  const chunks = typeof prompt === 'string' ? [prompt] : (getList(session, 'prompt') ?? []);
  const drafts: (NodeDraft & { content: string; logprobs?: TokenLogprob[] })[] = [];
  for (const [index, chunk] of chunks.entries()) {
    const content = typeof chunk === 'string' ? chunk : getText(chunk, 'content');
    if (content === undefined) {
      reporter.noteProblem('A chunk has no text.', `chunk ${index + 1}`);
      continue;
    }
    const kind = typeof chunk === 'string' || getField(chunk, 'type') === 'user' ? 'human' : 'model';
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
    if (kind === 'model') last.logprobs?.push(readToken(chunk, content));
  }
  for (const draft of drafts) if (draft.logprobs?.every(({ logprob }) => logprob === undefined)) delete draft.logprobs;
  const title = getText(session, 'name') ?? name;
  return [assembleLoom({ title, drafts, active: drafts.length - 1 }, reporter)];
}

function unpackValues(session: JsonFields): JsonFields {
  const values = Object.entries(session).map(([key, value]): [string, JsonValue] => {
    if (typeof value !== 'string' || !/^\s*(["[{]|-?\d|true|false|null)/.test(value)) return [key, value];
    const parsed = parseLooseJson(value);
    return [key, 'problem' in parsed ? value : parsed.value];
  });
  return Object.fromEntries(values);
}

function readToken(chunk: JsonValue, content: string): TokenLogprob {
  const top = (getList(getList(chunk, 'completion_probabilities')?.[0], 'probs') ?? []).flatMap((other) => {
    const logprob = toLogprob(getNumber(other, 'prob'));
    const token = getText(other, 'tok_str');
    return logprob === undefined || token === undefined ? [] : [{ token: cleanToken(token), logprob }];
  });
  const logprob = toLogprob(getNumber(chunk, 'prob'));
  return { token: cleanToken(content), ...(logprob !== undefined && { logprob }), ...(top.length > 0 && { top }) };
}

/** mikupad writes -1 for an unknown probability. */
function toLogprob(probability: number | undefined): number | undefined {
  return probability !== undefined && probability > 0 && probability <= 1 ? Math.log(probability) : undefined;
}
