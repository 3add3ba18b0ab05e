import type { ContentOf, EventOf } from '../../core/events/define.ts';
import { authorLabelOf, type Event } from '../../core/events/event.ts';
import { type CharacterOrigin, traceCharacter } from '../../core/loom/authorship/character.ts';
import { creditOf } from '../../core/loom/authorship/credits.ts';
import { viewSpans } from '../../core/loom/authorship/node-spans.ts';
import { GenerationFinished, GenerationRequested, LoomImported } from '../../core/loom/events.ts';
import { NO_CONTEXT } from '../../core/loom/graph/contexts.ts';
import type { Graph } from '../../core/loom/graph/graph.ts';
import type { LoomState } from '../../core/loom/state.ts';
import { formatCount } from '../../core/text/pluralize.ts';
import { problemWithNode } from '../../formats/verify/loom-proof.ts';
import { eventOf, type StoredEvent } from '../../log/event-log.ts';
import { sha256 } from '../../log/seal.ts';
import type { AccountAuthor, AccountPart, AccountStep, AccountTerms } from '../../protocol/explain.ts';
import type { ModeExplanations } from '../engine-mode.ts';
import {
  type Account,
  describeShare,
  type ExplainContext,
  firstWords,
  linkIn,
  type ProofCheck,
  partAt,
} from './account.ts';
import { explainCall } from './call.ts';
import { lastBefore, pastOf, type ThreadPast } from './past.ts';

export const loomExplanations: ModeExplanations<LoomState> = {
  explainAt: explainNode,
  placeOf: () => undefined,
  places: 'a node',
  eventNames: {},
};

/** Explains a node of a loom, or traces one character back to where it was first written (W5, W7, W15, W20). */
async function explainNode(context: ExplainContext, loom: LoomState, id: string): Promise<Account | undefined> {
  const graph = loom.graph.read();
  const node = graph.byId.get(id);
  if (node === undefined || node === 0) return undefined;
  const text = graph.contents[node] as string;
  const parts = partsOf(loom, id);
  const part = partAt(parts, context.offset);
  const passages = traceCharacter(graph, node, context.offset ?? startOffset(parts));
  const origin = passages.at(-1) as CharacterOrigin;
  const event = await eventOfNode(context, graph, node);
  const originEvent = origin.node === node ? event : await eventOfNode(context, graph, origin.node);
  const past = await pastOf(context.engine.log, context.thread, event.seq);
  const soleAuthor = part?.author ?? (parts.length === 1 ? parts[0]?.author : undefined);
  const author = soleAuthor ? { ...soleAuthor, ...modelIn(graph, origin.node, originEvent) } : nodeAuthor(graph, node);
  const isGenerated = graph.origins.get(origin.node)?.generation !== undefined;
  const callAccount = isGenerated ? await explainGeneration(context, graph, origin.node, originEvent) : undefined;
  return {
    link: linkIn(context, id),
    what: 'A node of a loom',
    ...{ text, author, past },
    ...(part && { at: part }),
    ...(parts.length > 1 && { parts }),
    steps: [
      ...originSteps(context, graph, origin.node, originEvent),
      ...(await passageSteps(context, graph, passages.slice(0, -1).reverse())),
      ...(context.offset === undefined && parts.length > 1 ? shareSteps(parts) : []),
    ],
    ...callAccount,
    ...(isGenerated && {
      terms: await termsOf(context, past, originEvent, graph.origins.get(origin.node)?.generation as string),
    }),
    rests: originEvent.id === event.id ? [] : [{ what: 'the event it was first written in', event: originEvent }],
    checks: [
      ...(callAccount?.checks ?? []),
      nodeCheck(graph, node, event),
      ...(origin.node === node ? [] : [nodeCheck(graph, origin.node, originEvent)]),
    ],
  };
}

function partsOf(loom: LoomState, id: string): readonly AccountPart[] {
  return viewSpans(loom, id).map(({ start: from, end: to, author, kind }) => ({
    from,
    to,
    author: { id: author, kind },
  }));
}

/** Without a character, the longest part that a model wrote stands for the node. */
function startOffset(parts: readonly AccountPart[]): number {
  const models = parts.filter(({ author }) => author.kind === 'model');
  const [longest] = [...(models.length > 0 ? models : parts)].sort((a, b) => b.to - b.from - (a.to - a.from));
  return longest?.from ?? 0;
}

function nodeAuthor(graph: Graph, node: number): AccountAuthor {
  const { author, kind } = creditOf(graph, node);
  return { id: author, kind };
}

function modelIn(graph: Graph, node: number, event: Event): Pick<AccountAuthor, 'model' | 'small'> {
  const finished = GenerationFinished.read(event);
  if (graph.origins.get(node)?.generation === undefined || !finished) return {};
  const { model, label } = finished.content;
  return { model, ...(label && { small: true }) };
}

async function eventOfNode({ engine, thread }: ExplainContext, graph: Graph, node: number): Promise<Event> {
  return eventOf((await engine.log.lastOf(thread, graph.seqs[node] as number)) as StoredEvent);
}

function originSteps(context: ExplainContext, graph: Graph, node: number, event: Event): readonly AccountStep[] {
  const place = {
    link: linkIn(context, graph.ids[node] as string),
    ts: graph.created[node] as string,
    hash: event.hash,
  };
  const { author } = creditOf(graph, node);
  const { generation, interrupted } = graph.origins.get(node) ?? {};
  const imported = LoomImported.read(event);
  if (imported) return importSteps(context, graph, node, imported);
  const finished = GenerationFinished.read(event);
  if (generation === undefined || !finished) {
    const who = event.meta.by === 'agent' ? `${author}, an agent,` : author;
    return [{ what: `${who} wrote it.`, ...place }];
  }
  const { requester = '' } = graph.generations.get(generation) ?? {};
  const { model, label, templated } = finished.content;
  const small = label ? ' (small)' : '';
  return [
    { what: `Written by ${model}${small}, at the request of ${requester}.`, ...place },
    ...(interrupted ? [{ what: 'It was stopped before it was complete; this is the text so far.' }] : []),
    ...(templated ? [{ what: 'It is a chat model, which continued the text through a template.' }] : []),
  ];
}

/** Facts from an imported file are not proved by this log, and the file may leave some out. */
function importSteps(
  context: ExplainContext,
  graph: Graph,
  node: number,
  event: EventOf<typeof LoomImported>,
): readonly AccountStep[] {
  const id = graph.ids[node] as string;
  const { nodes, file } = event.content;
  const importedNode = nodes.find((each) => each.id === id);
  const { origin, created } = context.state.thread;
  if (!file && origin && event.ts === created) {
    const author = graph.authors[node] as string;
    const what = `${authorLabelOf(event)} opened it with a text of ${author}, which is proved at its source.`;
    return [{ what, ts: event.ts, link: origin.link, hash: origin.hash }];
  }
  const from = file ? `the file "${file.name}", read as ${file.format}` : 'a file whose name was not kept';
  const unknown = [
    ...(importedNode?.author === undefined ? ['who wrote it'] : []),
    ...(importedNode?.created === undefined ? ['when'] : []),
    ...(importedNode?.kind === 'model' && importedNode.model === undefined ? ['which model'] : []),
    ...(importedNode?.kind === 'model' ? ['what was shown to it'] : []),
  ];
  const names = importedNode?.author !== undefined ? `The file names ${importedNode.author} as its author` : undefined;
  const model = importedNode?.model !== undefined ? ` and the model "${importedNode.model}"` : '';
  return [
    {
      what: `${authorLabelOf(event)} imported it from ${from}.`,
      ts: event.ts,
      link: linkIn(context, id),
      hash: event.hash,
    },
    ...(names ? [{ what: `${names}${model}; this comes from the file and is not proved by this log.` }] : []),
    ...(unknown.length > 0 ? [{ what: `The file does not say ${unknown.join(' or ')}.` }] : []),
  ];
}

const PASSAGE_SENTENCES: Readonly<Record<Exclude<CharacterOrigin['by'], 'written'>, (who: string) => string>> = {
  kept: (who) => `${who} edited the text into another version, which kept this part.`,
  restored: (who) => `${who} restored an earlier text.`,
  taken: (who) => `${who} copied it from another branch.`,
  divided: (who) => `${who} split the node; this is one part.`,
  merged: (who) => `${who} merged two nodes.`,
};
const MAX_PASSAGES = 12;

/** The first and last steps of the text's history, oldest first. */
async function passageSteps(
  context: ExplainContext,
  graph: Graph,
  passages: readonly CharacterOrigin[],
): Promise<readonly AccountStep[]> {
  const isShort = passages.length <= MAX_PASSAGES;
  const [head, tail] = isShort
    ? [passages, []]
    : [passages.slice(0, MAX_PASSAGES / 2), passages.slice(-MAX_PASSAGES / 2)];
  const omission = isShort ? [] : [{ what: `It went through ${passages.length - MAX_PASSAGES} more versions.` }];
  const stepsOf = (some: readonly CharacterOrigin[]) =>
    Promise.all(some.map((passage) => passageStep(context, graph, passage)));
  return [...(await stepsOf(head)), ...omission, ...(await stepsOf(tail))];
}

async function passageStep(context: ExplainContext, graph: Graph, { node, by }: CharacterOrigin): Promise<AccountStep> {
  const event = await eventOfNode(context, graph, node);
  const place = { ts: event.ts, link: linkIn(context, graph.ids[node] as string), hash: event.hash };
  return { what: PASSAGE_SENTENCES[by as 'kept'](authorLabelOf(event)), ...place };
}

function shareSteps(parts: readonly AccountPart[]): readonly AccountStep[] {
  const authors = new Map(parts.map(({ author }) => [author.id, author]));
  return [...authors.values()].map((author) => ({ what: `${describeShare(parts, author)} are ${author.id}’s.` }));
}

const MAX_NEAREST = 5;

async function explainGeneration(
  context: ExplainContext,
  graph: Graph,
  node: number,
  event: Event,
): Promise<Pick<Account, 'call' | 'shown' | 'checks'>> {
  const { generation = '', raw: ownRaw } = graph.origins.get(node) ?? {};
  const { raw = ownRaw, dropped } = graph.generations.get(generation) ?? {};
  const { model, label, usage, cost, seed }: Partial<ContentOf<typeof GenerationFinished>> =
    GenerationFinished.read(event)?.content ?? {};
  const { count, chars, nearest } = contextOf(graph, node);
  const droppedNote = dropped
    ? ` There was no space for the oldest ${formatCount(dropped.nodes, 'node')} of them.`
    : '';
  const pieces = nearest.map((each) => ({
    what: `before it: ${firstWords((graph.contents[each] as string).slice(-200))}`,
    link: linkIn(context, graph.ids[each] as string),
  }));
  return explainCall(
    context,
    {
      model: model ?? graph.generations.get(generation)?.model ?? '',
      small: label ? true : undefined,
      raw: ownRaw ?? raw,
      ...(usage && { usage }),
      ...{ cost, seed },
    },
    {
      what:
        count === 0
          ? 'It was written from nothing: there was no text before it.'
          : `Its input was the path before it: ${formatCount(count, 'node')}, ${formatCount(chars, 'character')}.${droppedNote}`,
      pieces,
    },
  );
}

function contextOf(graph: Graph, node: number): { count: number; chars: number; nearest: readonly number[] } {
  const nearest: number[] = [];
  let [count, chars] = [0, 0];
  for (let at = graph.contexts[node] as number; at !== NO_CONTEXT; at = graph.contextBefore[at] as number) {
    const each = graph.contextNode[at] as number;
    if (each === 0) continue;
    if (count < MAX_NEAREST) nearest.push(each);
    count++;
    chars += (graph.contents[each] as string).length;
  }
  return { count, chars, nearest: nearest.reverse() };
}

/** The request, and the instructions before the text (W16). */
async function termsOf(
  context: ExplainContext,
  past: ThreadPast,
  event: Event,
  generation: string,
): Promise<AccountTerms> {
  const isNear = past.events.some(({ id }) => id === event.id);
  const relevantPast = isNear ? past : await pastOf(context.engine.log, context.thread, event.seq);
  const stored = lastBefore(
    relevantPast,
    event.seq,
    (each) => GenerationRequested.read(each)?.content.generation === generation,
  );
  const request = stored && GenerationRequested.read(stored);
  if (!request) return { what: 'The request is too far back to show here.' };
  const { system = '', n } = request.content;
  const instructions =
    system === ''
      ? 'There were no instructions before the text: it went to the model unchanged.'
      : `There were instructions before the text: “${firstWords(system)}”`;
  return {
    what: `${authorLabelOf(request)} asked for ${formatCount(n, 'continuation')}. ${instructions}`,
    ...(system !== '' && { hash: sha256(system) }),
  };
}

function nodeCheck(graph: Graph, node: number, event: Event): ProofCheck {
  const id = graph.ids[node] as string;
  if (event.type === 'loom.imported') return { what: 'An imported node is proved by its event alone.', holds: true };
  const problem = problemWithNode(graph, event, id);
  if (problem) return { what: `The event ${problem}.`, holds: false };
  return {
    what: `The text of node ${id}, the text before it, its author and time match the recorded hashes.`,
    holds: true,
  };
}
