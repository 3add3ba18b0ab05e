import { z } from 'zod';
import type { Decision } from '../decider.ts';
import type { Event, Json } from '../events/event.ts';
import { readEvent } from '../events/read.ts';
import type { Mode, ModeContext, ThreadSeed } from '../mode.ts';
import { isRefusal } from '../refusal.ts';
import { checkNotHuman } from '../runs/writer.ts';
import { countWords } from '../text/count-words.ts';
import { excerptOf } from '../text/excerpt.ts';
import { dialogueCommands } from './commands.ts';
import { parseSettings } from './config.ts';
import { decideDialogue } from './decide.ts';
import { DialogueConfigured, type DialogueEvent, dialogueEvents, TurnOpened } from './events.ts';
import { evolveDialogue } from './evolve.ts';
import { dialogueJobs, IterateJob } from './jobs.ts';
import { type Dialogue, initialDialogue, isAnswerEmpty, latestReply } from './state.ts';
import { attentionOf } from './view/attention.ts';
import { dialogueSearchTexts, dialogueTextPlace } from './view/search-texts.ts';
import { dialogueSource } from './view/source.ts';

/** Accepts any setting. `parseSettings` checks them one by one, so that a removed key can name its replacement. */
const setup = z.record(z.string(), z.unknown());

/** A person sends one message; a mind thinks and drafts until the person accepts a draft. */
export const dialogue: Mode<Dialogue, typeof dialogueCommands, typeof setup> = {
  kind: 'dialogue',
  events: dialogueEvents,
  commands: dialogueCommands,
  aliases: { iterated: 'report_iteration', run_waits: 'report_wait', thoughts_clustered: 'report_clusters' },
  results: {
    fault: (report, { message }) =>
      report.name === 'report_iteration'
        ? { ...report, input: { ...report.input, result: { malformed: message } } }
        : report,
  },
  setup,
  setupAccess: 'human',
  forkAccess: 'participant',
  begin,
  initial: initialDialogue,
  evolve: evolveDialogue,
  decide: decideDialogue,
  summary: summaryOf,
  minds: ({ config: { self: id, model } }) => [{ id, role: 'mind', ...(model && { model }) }],
  jobs: dialogueJobs,
  writerOf: ({ config }, job) => (IterateJob.inputOf(job) ? config.self : undefined),
  texts: dialogueSearchTexts,
  placeOf: (state, event, text) => (text === undefined ? turnPlace(event) : dialogueTextPlace(state, event, text)),
  places: 'a turn (#2), a draft (#2.3) or a thought (#thought.7)',
  sourceOf: dialogueSource,
  accepts: {
    message: ({ thread, text }) => ({ name: 'message', input: { thread, text } }),
    steer: ({ thread, text }) => ({ name: 'steer', input: { thread, text } }),
    accept: ({ thread, text, at = '' }) => {
      const [turn, draft] = at.split('.').map(Number);
      return { name: 'accept', input: { thread, text, ...(turn && { turn }), ...(draft && { draft }) } };
    },
  },
  acceptsNow: ({ open }, at) => (open ? (at?.startsWith(`${open.turn}.`) ? 'accept' : 'steer') : undefined),
};

function turnPlace(stored: Event): string | undefined {
  const event = readEvent<DialogueEvent>(stored);
  switch (event.type) {
    case 'turn.accepted':
      return `${event.content.turn}.${event.content.draft}`;
    case 'turn.opened':
    case 'turn.steered':
    case 'turn.withdrawn':
      return String(event.content.turn);
    default:
      return undefined;
  }
}

/** The thread list entry: the open turn, its latest reply in brief, and why the run is paused. */
function summaryOf(state: Dialogue): Json {
  const { open, run, config } = state;
  const reply = open && latestReply(open);
  return {
    attention: attentionOf(state).level,
    turn: open?.turn ?? null,
    ...(reply && { draft: reply.index, by: config.self, text: excerptOf(reply.text), words: countWords(reply.text) }),
    ...(reply?.confidence !== undefined && { confidence: reply.confidence }),
    ...(isAnswerEmpty(state) && { empty: true }),
    ...(open && run?.state === 'paused' && { held: run.why ?? 'it was asked to.' }),
  };
}

function begin(input: z.infer<typeof setup>, context: ModeContext, seed?: ThreadSeed): Decision {
  const { thread } = context;
  const set = parseSettings(input);
  if (isRefusal(set)) return set;
  const refusal = checkNotHuman([set.self], context);
  if (refusal) return refusal;
  const hasSettings = Object.keys(set).length > 0;
  return [
    ...(hasSettings ? [DialogueConfigured.of(thread.id, { set })] : []),
    ...(seed ? [TurnOpened.of(thread.id, { turn: 1, text: seed.message })] : []),
  ];
}
