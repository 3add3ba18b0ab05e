import { z } from 'zod';
import type { Decision } from '../decider.ts';
import { defineJob } from '../define-job.ts';
import type { Event } from '../events/event.ts';
import { ignoreUnknown, readEvent } from '../events/read.ts';
import type { CommandOf, Mode, ModeCommands, ModeContext } from '../mode.ts';
import { refuse } from '../refusal.ts';
import { ItemAdded, ItemsRequested, ItemTicked, type ListEvent, listEvents, RequestFailed } from './events.ts';

interface Item {
  readonly text: string;
  readonly event: string;
  readonly ticked: boolean;
  readonly call?: { readonly model: string; readonly raw?: string | undefined };
}

export interface List {
  readonly items: readonly Item[];
  /** Requests so far, and the one that a model is working on. */
  readonly requests: number;
  readonly open?: { readonly request: number; readonly left: number };
}

const text = z.string().trim().min(1).max(1000);
const number = z.number().int().positive();
const request = number;

const listCommands = {
  add: { summary: 'Adds an item.', input: z.strictObject({ text }), access: 'participant' },
  tick: { summary: 'Ticks an item.', input: z.strictObject({ item: number }), access: 'participant' },
  run: { summary: 'Lets a model add items.', input: z.strictObject({ items: number.max(9) }), access: 'human' },
  report_item: {
    summary: 'Reports an item of a model.',
    input: z.strictObject({ request, text, model: z.string(), blobs: z.array(z.string()) }),
    access: 'internal',
  },
  report_failure: {
    summary: 'Reports that no item came.',
    input: z.strictObject({ request, reason: z.string() }),
    access: 'internal',
  },
} as const satisfies ModeCommands;

export const ItemJob = defineJob<{ request: number }>('list.item');

/** A list with items to tick: the smallest kind of thread that uses everything a kind may use. */
export const list: Mode<List, typeof listCommands, z.ZodType<Record<never, never>>> = {
  kind: 'list',
  events: listEvents,
  commands: listCommands,
  setup: z.strictObject({}),
  setupAccess: 'participant',
  forkAccess: 'participant',
  begin: () => [],
  initial: () => ({ items: [], requests: 0 }),
  evolve: evolveList,
  decide: decideList,
  summary: ({ items }) => ({ open: items.filter(({ ticked }) => !ticked).length }),
  jobs: ({ open }) => (open ? [ItemJob.of(`item-${open.request}-${open.left}`, { request: open.request })] : []),
  writerOf: () => 'shopper',
  results: {
    fault(report, { message: reason }) {
      if (report.name !== 'report_item') return report;
      const { thread, request } = report.input;
      return { name: 'report_failure', input: { thread, request, reason } };
    },
  },
  texts(event) {
    const added = ItemAdded.read(event)?.content;
    return added ? [{ kind: 'note', text: added.text, at: `item.${added.item}` }] : [];
  },
  placeOf(_, event) {
    const added = ItemAdded.read(event)?.content;
    return added && `item.${added.item}`;
  },
  places: 'an item (#item.2)',
  sourceOf({ items }, at = '') {
    const index = Number(/^item\.([1-9]\d{0,8})$/.exec(at)?.[1]) - 1;
    const item = items[index];
    if (!item) return undefined;
    const { event, call } = item;
    return { at, what: 'item', versions: [{ text: item.text, event, ...(call && { call }) }] };
  },
  accepts: { message: ({ thread, text }) => ({ name: 'add', input: { thread, text } }) },
};

function decideList(state: List, command: CommandOf<typeof listCommands>, { thread }: ModeContext): Decision {
  const item = state.items.length + 1;
  switch (command.name) {
    case 'add':
      return [ItemAdded.of(thread.id, { item, text: command.input.text })];
    case 'tick':
      if (!state.items[command.input.item - 1]) {
        return refuse('malformed', `There is no item ${command.input.item} in "${thread.title}".`);
      }
      return [ItemTicked.of(thread.id, { item: command.input.item })];
    case 'run':
      if (state.open) return refuse('conflict', 'A model is already adding items.');
      return [ItemsRequested.of(thread.id, { request: state.requests + 1, items: command.input.items })];
    case 'report_item': {
      const { request, text, model, blobs } = command.input;
      if (state.open?.request !== request) return [];
      return [ItemAdded.of(thread.id, { item, text, request, model }, { meta: { blobs } })];
    }
    case 'report_failure':
      return [RequestFailed.of(thread.id, { request: command.input.request, reason: command.input.reason })];
  }
}

function evolveList(state: List, stored: Event): List {
  const event = readEvent<ListEvent>(stored);
  switch (event.type) {
    case 'thread.created':
      return state;
    case 'item.added': {
      const { text, model } = event.content;
      const raw = event.meta.blobs?.at(-1);
      const item = { text, event: event.id, ticked: false, ...(model !== undefined && { call: { model, raw } }) };
      const { open, ...rest } = { ...state, items: [...state.items, item] };
      const isLast = open?.request === event.content.request && open?.left === 1;
      if (!open || isLast) return rest;
      return { ...rest, open: event.content.request === undefined ? open : { ...open, left: open.left - 1 } };
    }
    case 'item.ticked': {
      const items = state.items.map((item, i) => (i === event.content.item - 1 ? { ...item, ticked: true } : item));
      return { ...state, items };
    }
    case 'items.requested':
      return {
        ...state,
        requests: event.content.request,
        open: { request: event.content.request, left: event.content.items },
      };
    case 'request.failed': {
      const { open: _, ...rest } = state;
      return rest;
    }
    default:
      return ignoreUnknown(state, event);
  }
}
