import type { ContentOf } from '../events/define.ts';
import type { Event, NewEvent } from '../events/event.ts';
import type { Mode, ModeContext, ThreadSeed } from '../mode.ts';
import { isRefusal } from '../refusal.ts';
import { loomCommands, loomSetup } from './commands.ts';
import { planCommit } from './commit-plan.ts';
import { decideLoom } from './decide.ts';
import { LoomCommitted, LoomConfigured, LoomImported, loomEvents } from './events.ts';
import { evolveLoom } from './evolve.ts';
import { loomJobs } from './jobs.ts';
import { loomSource } from './source.ts';
import { initialLoom, type LoomState } from './state.ts';
import { loomTexts } from './texts.ts';

export const loom: Mode<LoomState, typeof loomCommands, typeof loomSetup> = {
  kind: 'loom',
  events: loomEvents,
  commands: loomCommands,
  aliases: {
    configure_loom: 'configure',
    generation_wait: 'report_wait',
    generation_finish: 'report_generation',
    generation_fail: 'report_failure',
  },
  results: {
    fault(report, { code, message }) {
      if (report.name !== 'report_generation' && report.name !== 'report_failure') return report;
      const { thread, generation, raw } = report.input;
      const input = { thread, generation, code, message, ...(raw !== undefined && { raw }) };
      return { name: 'report_failure', input };
    },
    /**
     * Keeps the texts and their scores but drops token probabilities, which may take a hundred times the space and are
     * also in the raw response.
     */
    smaller(report) {
      if (report.name !== 'report_generation') return undefined;
      const choices = report.input.choices.map(({ tokens: _, ...choice }) => choice);
      return { ...report, input: { ...report.input, choices } };
    },
  },
  setup: loomSetup,
  setupAccess: 'participant',
  forkAccess: 'participant',
  begin({ text, ...settings }, context, seed) {
    const plan = planCommit(initialLoom(), { edits: [], text }, context);
    if (isRefusal(plan)) return plan;
    const hasSettings = Object.values(settings).some((value) => value !== undefined);
    const settingsEvents = hasSettings ? [LoomConfigured.of(context.thread.id, settings)] : [];
    return [...settingsEvents, ...(seed ? [seedEvent(seed, context)] : []), ...plan.events];
  },
  initial: initialLoom,
  evolve: (state, event: Event) => evolveLoom(state, event),
  decide: decideLoom,
  summary: () => undefined,
  jobs: loomJobs,
  texts: loomTexts,
  placeOf: (_, event, text) => (text === undefined ? LoomCommitted.read(event)?.content.append?.node : undefined),
  places: 'a node',
  isOneText: true,
  unknownPlace: 'unknown_node',
  sourceOf: loomSource,
  accepts: {
    branch: ({ thread, text, at }) => ({
      name: 'commit',
      input: { thread, edits: [], text, ...(at && { after: at }) },
    }),
  },
};

/** Text copied from other participants keeps its authors; the participant who opens the loom wrote none of it (W7). */
function seedEvent({ versions }: ThreadSeed, context: ModeContext): NewEvent {
  const nodes: ContentOf<typeof LoomImported>['nodes'] = [];
  for (const { text, author, kind, ts } of versions) {
    const previous = nodes.at(-1);
    nodes.push({
      ...{ id: context.newId(), content: text, author, kind, created: ts },
      ...(previous && { edited_from: previous.id }),
    });
  }
  return LoomImported.of(context.thread.id, { nodes, active: nodes.at(-1)?.id });
}
