import { z } from 'zod';
import { type Client, HeddleUnreachable } from '../client/index.ts';
import type { Control } from '../core/threads/schema.ts';
import { resolveThread } from './find-thread.ts';
import { compactEvent, timeline } from './text.ts';

/** An MCP tool. It does what the HTTP route does, as the participant of the credential (I8). */
export interface McpTool<Input extends z.ZodObject = z.ZodObject> {
  readonly description: string;
  readonly input: Input;
  readonly readOnly?: true;
  run(client: Client, input: z.infer<Input>, signal: AbortSignal): Promise<unknown>;
}

const thread = z.string().max(64);
const cursor = z.string().max(64).optional();
const ids = z.array(z.string().max(64)).max(64);
const MAX_WAIT_SECONDS = 25;

function tool<Input extends z.ZodObject>(definition: McpTool<Input>): McpTool<Input> {
  return definition;
}

export const tools = {
  thread_list: tool({
    description: 'Threads, the latest first.',
    input: z.object({}),
    readOnly: true,
    async run(client) {
      const { threads } = await client.threads.list();
      return { threads: threads.map(({ id, title, kind, done, paused }) => ({ id, title, kind, done, paused })) };
    },
  }),
  thread_create: tool({
    description: 'Create a thread.',
    input: z.object({ title: z.string(), invite: ids.optional() }),
    async run(client, { title, invite = [] }) {
      const created = await client.threads.create({ title, invite: invite.map((id) => ({ participant_id: id })) });
      return { thread: created.thread.id };
    },
  }),
  join: tool({
    description:
      'Enter a thread, by id or title: its id, who is there, how it works, the last messages, and the cursor to wait from.',
    input: z.object({ thread: z.string().max(200) }),
    async run(client, { thread: name }) {
      const id = await resolveThread(client, name);
      const threadClient = client.thread(id);
      const { me } = await client.me();
      await threadClient.declare('listening');
      const [{ state }, page] = await Promise.all([
        threadClient.state(),
        threadClient.events({ before: 'head', limit: 30 }),
      ]);
      return {
        thread: id,
        you: me.participant,
        title: state.title,
        participants: state.participants.map(({ id: who, invited, profile }) => ({ id: who, invited, ...profile })),
        paused: state.paused,
        done: state.done,
        waiting_for_you: state.wakes.filter(({ participant }) => participant === me.participant),
        recent: timeline(page.events),
        cursor: page.head,
      };
    },
  }),
  post: tool({
    description:
      'Post a message. @id or `to` addresses others. Returns who is woken, and why the others are not. Upload `files` with POST /api/blobs first.',
    input: z.object({
      thread,
      text: z.string(),
      to: ids.optional(),
      reply_to: z.string().optional(),
      type: z.enum(['message', 'task', 'result']).optional(),
      files: z.array(z.object({ blob: z.string(), name: z.string() })).optional(),
    }),
    async run(client, { thread: id, text, to, reply_to, type = 'message', files }) {
      const [firstId] = to ?? [];
      const result = await client.thread(id).post({
        type,
        content: text,
        ...(to && firstId !== undefined && { to: to.length === 1 ? firstId : to }),
        ...((reply_to !== undefined || files) && { meta: { reply_to, attachments: files } }),
      });
      return { event: result.event.id, as: result.event.type, delivery: result.delivery };
    },
  }),
  read: tool({
    description: 'Events after a cursor, or the newest without one.',
    input: z.object({ thread, after: cursor, limit: z.number().int().min(1).max(200).optional() }),
    readOnly: true,
    async run(client, { thread: id, after, limit = 50 }) {
      const range = after === undefined ? { before: 'head' } : { after };
      const page = await client.thread(id).events({ ...range, limit });
      return {
        events: page.events.map(compactEvent),
        cursor: after === undefined ? page.head : page.cursor,
        head: page.head,
      };
    },
  }),
  wait: tool({
    description: 'Wait for events after a cursor, up to `seconds`. Returns at once if there are any; then call again.',
    input: z.object({ thread, after: z.string().max(64), seconds: z.number().min(0).max(MAX_WAIT_SECONDS).optional() }),
    readOnly: true,
    run: (client, { thread: id, after, seconds = 20 }, signal) =>
      retryUntilDeadline(seconds, signal, async (remaining) => {
        const threadClient = client.thread(id);
        const [{ me }] = await Promise.all([client.me(), threadClient.declare('listening')]);
        const page = await threadClient.events({ after, wait: remaining, limit: 50, signal });
        const { state } = await threadClient.state();
        return {
          events: page.events.filter(({ from }) => from !== me.participant).map(compactEvent),
          cursor: page.cursor,
          answer: state.wakes.filter(({ participant }) => participant === me.participant).map(({ event }) => event),
        };
      }),
  }),
  who: tool({
    description: 'Participants: invited, muted, present.',
    input: z.object({ thread }),
    readOnly: true,
    async run(client, { thread: id }) {
      const threadClient = client.thread(id);
      const [{ state }, { presence }] = await Promise.all([threadClient.state(), threadClient.presence()]);
      return { participants: state.participants, presence };
    },
  }),
  presence: tool({
    description: 'Set your presence.',
    input: z.object({ thread, state: z.enum(['listening', 'thinking', 'typing', 'idle', 'offline']) }),
    run: (client, { thread: id, state }) => client.thread(id).declare(state),
  }),
  invite: tool({
    description: 'Invite a participant by ID. Only a human can set its profile.',
    input: z.object({ thread, participant: z.string() }),
    async run(client, { thread: id, participant }) {
      const content = { invite: { participant_id: participant } };
      const result = await client.thread(id).post({ type: 'control', content });
      return { event: result.event.id, delivery: result.delivery };
    },
  }),
  control: tool({
    description: 'A control with one key, such as {"prod":["id"]} or {"profile":{"nickname":"…"}}. Most need a human.',
    input: z.object({ thread, control: z.record(z.string(), z.unknown()) }),
    async run(client, { thread: id, control }) {
      // The server validates the control.
      const result = await client.thread(id).post({ type: 'control', content: control as Control });
      return { event: result.event.id };
    },
  }),
  side_open: tool({
    description: 'Open a side channel for one question; the thread sees it.',
    input: z.object({ thread, question: z.string(), members: ids }),
    async run(client, { thread: id, ...body }) {
      const { events } = await client.thread(id).command('side_open', body);
      return { thread: events[0]?.thread };
    },
  }),
  side_close: tool({
    description: 'Close a side channel with a summary for its parent.',
    input: z.object({ thread, summary: z.string() }),
    async run(client, { thread: id, ...body }) {
      await client.thread(id).command('side_close', body);
      return { closed: id };
    },
  }),
  search: tool({
    description: 'Find texts with all words ("exact phrase", -not, begin*) in a thread, or everywhere.',
    input: z.object({ words: z.string(), thread: thread.optional() }),
    readOnly: true,
    async run(client, { words, thread: id }, signal) {
      const { hits, more } = await client.search({
        q: words,
        limit: 50,
        ...(id !== undefined && { thread: id }),
        signal,
      });
      const found = hits.map(({ room: _, parts, ...hit }) => ({
        ...hit,
        text: parts.map(({ text }) => text).join(''),
      }));
      return { found, more };
    },
  }),
  draft: tool({
    description: 'Write a draft for a human to post.',
    input: z.object({ thread, text: z.string(), reply_to: z.string().optional() }),
    async run(client, { thread: id, text, reply_to }) {
      const body = { text, ...(reply_to !== undefined && { reply_to }) };
      const { events } = await client.thread(id).command('draft', body);
      return events[0]?.content;
    },
  }),
  drafts: tool({
    description: 'Drafts waiting in a thread.',
    input: z.object({ thread }),
    readOnly: true,
    async run(client, { thread: id }) {
      const { drafts, drafts_left_out } = (await client.thread(id).state()).state;
      return { drafts, ...(drafts_left_out !== undefined && { drafts_left_out }) };
    },
  }),
  loom_read: tool({
    description: 'Your path through a loom: its text and nodes.',
    input: z.object({ thread }),
    readOnly: true,
    async run(client, { thread: id }) {
      const { text, path, tip } = await client.thread(id).loom.path();
      return { text, tip, nodes: path.slice(-50).map(({ node, author, siblings }) => ({ node, author, siblings })) };
    },
  }),
  loom_continue: tool({
    description: 'Write the next node of a loom yourself.',
    input: z.object({ thread, text: z.string(), after: z.string().optional() }),
    async run(client, { thread: id, text, after }) {
      const body = { text, ...(after !== undefined && { after }) };
      const { events } = await client.thread(id).command('commit', body);
      return { events: events.map(({ id: event }) => event) };
    },
  }),
} as const;

const RETRY_MS = 300;

/** Also waits for a server that restarts meanwhile: the cursor stays valid. */
async function retryUntilDeadline<T>(
  seconds: number,
  signal: AbortSignal,
  attempt: (remaining: number) => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const remaining = Math.max(0, (deadline - performance.now()) / 1000);
    try {
      return await attempt(remaining);
    } catch (error) {
      if (!(error instanceof HeddleUnreachable) || signal.aborted || performance.now() + RETRY_MS > deadline)
        throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
