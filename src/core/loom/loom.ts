import type { Event, NewEvent } from '../events/event.ts';
import type { Mode, ModeContext, Seed } from '../mode.ts';
import { isRefusal } from '../refusal.ts';
import { loomCommands, loomSetup } from './commands.ts';
import { decideLoom } from './decide.ts';
import { emit } from './emit.ts';
import { loomEvents } from './events.ts';
import { evolveLoom } from './evolve.ts';
import { pendingEvents } from './pending.ts';
import { initialLoom, type LoomState } from './state.ts';

export const loom: Mode<LoomState, typeof loomCommands, typeof loomSetup> = {
  kind: 'loom',
  events: loomEvents,
  commands: loomCommands,
  setup: loomSetup,
  setupBy: 'participant',
  begin({ text, ...settings }, context, seed) {
    const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
    const committing = pendingEvents(initialLoom(), { edits: [], text }, context);
    if (isRefusal(committing)) return committing;
    const configured = Object.keys(given).length > 0 ? [emit(context, 'loom.configured', given)] : [];
    return [...configured, ...(seed ? [seeded(seed, context)] : []), ...committing.events];
  },
  initial: initialLoom,
  evolve: (state, event: Event) => evolveLoom(state, event),
  decide: decideLoom,
  summary: () => undefined,
  jobs: ({ open }) =>
    open.map(({ request, asked, stopping }) => ({
      key: `generate/${request.generation}`,
      kind: 'loom.generate',
      input: { generation: request.generation },
      asked,
      // Until its end is in the log: its server may be gone, and what it had finished is kept (W28).
      ...(stopping && { ending: true }),
    })),
};

/** Words of others stand in it as theirs: whoever opened it wrote none of them (W7). */
function seeded({ versions }: Seed, context: ModeContext): NewEvent {
  const nodes: { id: string; content: string; author: string; kind: string; created: string; edited_from?: string }[] =
    [];
  for (const { text, author, kind, ts } of versions) {
    const last = nodes.at(-1);
    nodes.push({
      ...{ id: context.newId(), content: text, author, kind, created: ts },
      ...(last && { edited_from: last.id }),
    });
  }
  return emit(context, 'loom.imported', { nodes, active: nodes.at(-1)?.id });
}
