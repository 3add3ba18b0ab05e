import type { z } from 'zod';
import { authorShown, type Event } from '../../core/events/event.ts';
import { type Passage, passagesOf } from '../../core/loom/authorship/character.ts';
import { creditedAuthor } from '../../core/loom/authorship/credits.ts';
import { viewSpans } from '../../core/loom/authorship/node-spans.ts';
import type { finished, imported, requested } from '../../core/loom/events.ts';
import { NO_CONTEXT } from '../../core/loom/graph/contexts.ts';
import type { Graph } from '../../core/loom/graph/graph.ts';
import type { LoomState } from '../../core/loom/state.ts';
import { problemWithNode } from '../../formats/verify/loom-proof.ts';
import { eventOf, type Stored } from '../../log/event-log.ts';
import { sha256 } from '../../log/seal.ts';
import type { Author, ExplainedTerms, Part, Step } from '../../protocol/explain.ts';
import { type Account, type Asking, type Check, counted, firstWords, linkIn, partAt, shareOf } from './account.ts';
import { callOf } from './call.ts';
import { lastBefore, type Past, pastOf } from './past.ts';

/** A node of a loom, or one character of it back to where it was first written (W5, W7, W15, W20). */
export async function explainNode(asking: Asking, loom: LoomState, id: string): Promise<Account | undefined> {
  const graph = loom.graph.look();
  const node = graph.byId.get(id);
  if (node === undefined || node === 0) return undefined;
  const text = graph.contents[node] as string;
  const parts = partsOf(loom, id);
  const here = partAt(parts, asking.offset);
  const passages = passagesOf(graph, node, asking.offset ?? start(parts));
  const origin = passages.at(-1) as Passage;
  const event = await eventOfNode(asking, graph, node);
  const first = origin.node === node ? event : await eventOfNode(asking, graph, origin.node);
  const past = await pastOf(asking.engine.log, asking.thread, event.seq);
  const one = here?.author ?? (parts.length === 1 ? parts[0]?.author : undefined);
  const author = one ? { ...one, ...modelIn(graph, origin.node, first) } : nodeAuthor(graph, node);
  const isModels = graph.origins.get(origin.node)?.generation !== undefined;
  const told = isModels ? await toldOf(asking, graph, origin.node, first) : undefined;
  return {
    link: linkIn(asking, id),
    what: 'A node of a loom',
    ...{ text, author, past },
    ...(here && { at: here }),
    ...(parts.length > 1 && { parts }),
    steps: [
      ...originSteps(asking, graph, origin.node, first),
      ...(await passedSteps(asking, graph, passages.slice(0, -1).reverse())),
      ...(asking.offset === undefined && parts.length > 1 ? shares(parts) : []),
    ],
    ...told,
    ...(isModels && {
      terms: await termsOf(asking, past, first, graph.origins.get(origin.node)?.generation as string),
    }),
    rests: first.id === event.id ? [] : [{ what: 'the event it was first written in', event: first }],
    checks: [
      ...(told?.checks ?? []),
      nodeCheck(graph, node, event),
      ...(origin.node === node ? [] : [nodeCheck(graph, origin.node, first)]),
    ],
  };
}

function partsOf(loom: LoomState, id: string): readonly Part[] {
  return viewSpans(loom, id).map(({ start: from, end: to, author, kind }) => ({
    from,
    to,
    author: { id: author, kind },
  }));
}

/** Without a character: the longest part that a model wrote says where the node comes from. */
function start(parts: readonly Part[]): number {
  const models = parts.filter(({ author }) => author.kind === 'model');
  const [longest] = [...(models.length > 0 ? models : parts)].sort((a, b) => b.to - b.from - (a.to - a.from));
  return longest?.from ?? 0;
}

function nodeAuthor(graph: Graph, node: number): Author {
  const { author, kind } = creditedAuthor(graph, node);
  return { id: author, kind };
}

function modelIn(graph: Graph, node: number, event: Event): Pick<Author, 'model' | 'small'> {
  const generation = graph.origins.get(node)?.generation;
  if (generation === undefined || event.type !== 'generation.finished') return {};
  const { model, label } = event.content as unknown as Finished;
  return { model, ...(label && { small: true }) };
}

type Finished = z.infer<typeof finished>;

async function eventOfNode({ engine, thread }: Asking, graph: Graph, node: number): Promise<Event> {
  return eventOf((await engine.log.lastOf(thread, graph.seqs[node] as number)) as Stored);
}

function originSteps(asking: Asking, graph: Graph, node: number, event: Event): readonly Step[] {
  const place = {
    link: linkIn(asking, graph.ids[node] as string),
    ts: graph.created[node] as string,
    hash: event.hash,
  };
  const { author } = creditedAuthor(graph, node);
  const { generation, interrupted } = graph.origins.get(node) ?? {};
  if (event.type === 'loom.imported') return importSteps(asking, graph, node, event);
  if (generation === undefined) {
    const who = event.meta.by === 'agent' ? `${author}, an agent,` : author;
    return [{ what: `${who} wrote it.`, ...place }];
  }
  const { requester = '' } = graph.generations.get(generation) ?? {};
  const { model, label, templated } = event.content as unknown as Finished;
  const small = label ? ', a small one' : '';
  return [
    { what: `The model "${model}"${small} wrote it, as ${requester} had asked.`, ...place },
    ...(interrupted ? [{ what: 'It was stopped before it was done; this is what had come.' }] : []),
    ...(templated ? [{ what: 'It is a chat model, which went on through a template.' }] : []),
  ];
}

/** What a file said is not proved by this log, and what it did not say is not known. */
function importSteps(asking: Asking, graph: Graph, node: number, event: Event): readonly Step[] {
  const id = graph.ids[node] as string;
  const { nodes, file } = event.content as unknown as z.infer<typeof imported>;
  const said = nodes.find((each) => each.id === id);
  const { origin, created } = asking.state.thread;
  if (!file && origin && event.ts === created) {
    const author = graph.authors[node] as string;
    const what = `${authorShown(event)} opened it with the words of ${author}, which are proved where they stand.`;
    return [{ what, ts: event.ts, link: origin.link, hash: origin.hash }];
  }
  const from = file ? `the file "${file.name}", read as ${file.format}` : 'a file whose name was not kept';
  const unknown = [
    ...(said?.author === undefined ? ['who wrote it'] : []),
    ...(said?.created === undefined ? ['when'] : []),
    ...(said?.kind === 'model' && said.model === undefined ? ['which model'] : []),
    ...(said?.kind === 'model' ? ['what was shown to it'] : []),
  ];
  const names = said?.author !== undefined ? `The file names ${said.author} as its author` : undefined;
  const model = said?.model !== undefined ? ` and the model "${said.model}"` : '';
  return [
    {
      what: `${authorShown(event)} brought it in from ${from}.`,
      ts: event.ts,
      link: linkIn(asking, id),
      hash: event.hash,
    },
    ...(names ? [{ what: `${names}${model}; that is the file’s word, not proved by this log.` }] : []),
    ...(unknown.length > 0 ? [{ what: `The file does not say ${unknown.join(', nor ')}: that is not known.` }] : []),
  ];
}

const PASSED: Readonly<Record<Exclude<Passage['by'], 'written'>, (who: string) => string>> = {
  kept: (who) => `${who} edited the text into another version, and this stayed.`,
  restored: (who) => `${who} brought an earlier text back.`,
  taken: (who) => `${who} took it over from another branch.`,
  divided: (who) => `${who} divided the node; this is a part of it.`,
  merged: (who) => `${who} made one node of two.`,
};
const MOST_PASSED = 12;

/** The first and the last of what it went through, oldest first. */
async function passedSteps(asking: Asking, graph: Graph, passed: readonly Passage[]): Promise<readonly Step[]> {
  const few = passed.length <= MOST_PASSED;
  const [head, tail] = few ? [passed, []] : [passed.slice(0, MOST_PASSED / 2), passed.slice(-MOST_PASSED / 2)];
  const between = few ? [] : [{ what: `It went through ${passed.length - MOST_PASSED} more versions.` }];
  const told = (some: readonly Passage[]) => Promise.all(some.map((passage) => passedStep(asking, graph, passage)));
  return [...(await told(head)), ...between, ...(await told(tail))];
}

async function passedStep(asking: Asking, graph: Graph, { node, by }: Passage): Promise<Step> {
  const event = await eventOfNode(asking, graph, node);
  const place = { ts: event.ts, link: linkIn(asking, graph.ids[node] as string), hash: event.hash };
  return { what: PASSED[by as 'kept'](authorShown(event)), ...place };
}

function shares(parts: readonly Part[]): readonly Step[] {
  const authors = new Map(parts.map(({ author }) => [author.id, author]));
  return [...authors.values()].map((author) => ({ what: `${shareOf(parts, author)} are ${author.id}’s.` }));
}

const NEAREST = 5;

async function toldOf(
  asking: Asking,
  graph: Graph,
  node: number,
  event: Event,
): Promise<Pick<Account, 'call' | 'shown' | 'checks'>> {
  const { generation = '', raw: own } = graph.origins.get(node) ?? {};
  const { raw = own, dropped } = graph.generations.get(generation) ?? {};
  const content = event.content as unknown as Partial<Finished>;
  const { count, chars, nearest } = before(graph, node);
  const unseen = dropped ? ` There was no room for the oldest ${counted(dropped.nodes, 'node')} of them.` : '';
  const pieces = nearest.map((each) => ({
    what: `before it: ${firstWords((graph.contents[each] as string).slice(-200))}`,
    link: linkIn(asking, graph.ids[each] as string),
  }));
  const { usage, cost, seed } = content;
  return callOf(
    asking,
    {
      model: content.model ?? graph.generations.get(generation)?.model ?? '',
      small: content.label ? true : undefined,
      raw: own ?? raw,
      ...(usage && { usage }),
      ...{ cost, seed },
    },
    {
      what:
        count === 0
          ? 'It began from nothing: no text stood before it.'
          : `It was shown the path before it: ${counted(count, 'node')}, ${counted(chars, 'character')}.${unseen}`,
      pieces,
    },
  );
}

function before(graph: Graph, node: number): { count: number; chars: number; nearest: readonly number[] } {
  const nearest: number[] = [];
  let [count, chars] = [0, 0];
  for (let at = graph.contexts[node] as number; at !== NO_CONTEXT; at = graph.contextBefore[at] as number) {
    const each = graph.contextNode[at] as number;
    if (each === 0) continue;
    if (count < NEAREST) nearest.push(each);
    count++;
    chars += (graph.contents[each] as string).length;
  }
  return { count, chars, nearest: nearest.reverse() };
}

/** What was asked for, and which instructions stood before the text (W16). */
async function termsOf(asking: Asking, past: Past, event: Event, generation: string): Promise<ExplainedTerms> {
  const isNear = past.events.some(({ id }) => id === event.id);
  const then = isNear ? past : await pastOf(asking.engine.log, asking.thread, event.seq);
  const asked = lastBefore(then, event.seq, ({ type, content }) => {
    return type === 'generation.requested' && (content as { generation?: string }).generation === generation;
  });
  if (!asked) return { what: 'What was asked for lies farther back than is looked at here.' };
  const { system = '', n } = asked.content as unknown as z.infer<typeof requested>;
  const instructions =
    system === ''
      ? 'No instructions stood before the text: it went to the model as it is.'
      : `Instructions stood before the text: “${firstWords(system)}”`;
  return {
    what: `${authorShown(asked)} asked for ${counted(n, 'continuation')}. ${instructions}`,
    ...(system !== '' && { hash: sha256(system) }),
  };
}

function nodeCheck(graph: Graph, node: number, event: Event): Check {
  const id = graph.ids[node] as string;
  if (event.type === 'loom.imported') return { what: 'An imported node is proved by its event alone.', holds: true };
  const problem = problemWithNode(graph, event, id);
  if (problem) return { what: `The event ${problem}.`, holds: false };
  return {
    what: `The text of node ${id}, what stood before it, its author and time hash to what was noted.`,
    holds: true,
  };
}
