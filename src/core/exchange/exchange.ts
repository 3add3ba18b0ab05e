import { z } from 'zod';
import type { Decision, Job } from '../decider.ts';
import type { Json } from '../events/event.ts';
import type { Mode, ModeContext, ThreadMind } from '../mode.ts';
import { isRefusal } from '../refusal.ts';
import { checkNotHuman } from '../runs/writer.ts';
import { excerptOf } from '../text/excerpt.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { exchangeCommands } from './commands.ts';
import { decideExchange } from './decide.ts';
import { exchangeEvents } from './events.ts';
import { evolveExchange } from './evolve.ts';
import { AuditJob, exchangeJobs, MindJob } from './jobs.ts';
import { type Audit, currentTerms, type Exchange, initialExchange } from './state.ts';
import { termsEvent } from './terms/amend.ts';
import { DEFAULT_TERMS } from './terms/defaults.ts';
import { parseSetup } from './terms/terms.ts';
import { AUDITOR } from './terms/terms-text.ts';
import { attentionOf } from './view/attention.ts';
import type { Restart } from './view/schema.ts';
import { exchangeSearchTexts, exchangeTextPlace } from './view/search-texts.ts';
import { exchangeSource } from './view/source.ts';

/** Accepts any term. `parseSetup` checks them one by one, so that a refusal can say what is right. */
const setup = z.record(z.string(), z.unknown());

/** Minds think in a shared pool, an auditor summarises, a person observes and decides (seed of the rules X). */
export const exchange: Mode<Exchange, typeof exchangeCommands, typeof setup> = {
  kind: 'exchange',
  events: exchangeEvents,
  commands: exchangeCommands,
  aliases: {
    run_rounds: 'run',
    pause_rounds: 'pause_run',
    resume_rounds: 'resume_run',
    stop_rounds: 'stop_run',
    mind_spoke: 'report_thoughts',
    audited: 'report_audit',
    rounds_wait: 'report_wait',
    round_settled: 'settle_round',
  },
  results: {
    fault(report, { message }) {
      const result = { malformed: message };
      switch (report.name) {
        case 'report_thoughts':
          return { ...report, input: { ...report.input, result } };
        case 'report_audit':
          return { ...report, input: { ...report.input, result } };
        default:
          return report;
      }
    },
  },
  setup,
  setupAccess: 'human',
  // Only the observer may branch an exchange, with any command (X5).
  forkAccess: 'human',
  begin,
  initial: initialExchange,
  evolve: evolveExchange,
  decide: decideExchange,
  summary: summaryOf,
  minds: mindsOf,
  jobs: exchangeJobs,
  writerOf,
  texts: exchangeSearchTexts,
  placeOf: (state, event, text) => (text === undefined ? undefined : exchangeTextPlace(state, event, text)),
  places: 'an audit (#audit.2), a thought (#thought.7) or the terms (#terms)',
  sourceOf: exchangeSource,
  accepts: { message: ({ thread, text }) => ({ name: 'inject', input: { thread, text } }) },
};

function writerOf(state: Exchange, job: Job): string | undefined {
  const call = MindJob.inputOf(job);
  if (call) return currentTerms(state).terms.minds[call.mind]?.id;
  return AuditJob.inputOf(job) ? AUDITOR : undefined;
}

function mindsOf(state: Exchange): readonly ThreadMind[] {
  const { minds, auditor_model: model } = currentTerms(state).terms;
  return [
    ...minds.map((mind) => ({ id: mind.id, role: 'mind' as const, ...(mind.model && { model: mind.model }) })),
    { id: AUDITOR, role: 'auditor', ...(model && { model }) },
  ];
}

/** The thread list entry: what the exchange waits for, its latest audit, and why it needs the observer. */
function summaryOf(state: Exchange): Json {
  const { phase, pending, awaiting, answered, audits, halted } = state;
  const { level, reason } = attentionOf(state);
  const audit = audits.at(-1);
  return {
    attention: level,
    phase,
    ...(pending && !halted && { restart: pending.restart, ...requestFacts(pending) }),
    ...(awaiting !== undefined && !halted && { awaiting }),
    ...(audit && { audit: { ...auditFacts(audit), seq: audit.seq, ts: audit.ts } }),
    ...(answered !== undefined && { answered }),
    ...(level === 'needs_you' && { why: reason, round: state.rounds.length }),
  };
}

/** Which mind asks for the restart and why; a cluster that took over the pool asks in nobody's words. */
function requestFacts({ evidence }: Restart) {
  const request = evidence.find((each) => each.by === 'mind');
  return request && { request: { by: request.mind, text: excerptOf(request.reason) } };
}

function auditFacts({ content: { audit, text } }: Audit) {
  return { audit, by: AUDITOR, text: excerptOf(text) };
}

/** Records all terms at the beginning, including the texts, so that the original terms stay readable forever. */
function begin(input: z.infer<typeof setup>, context: ModeContext): Decision {
  const set = parseSetup(input);
  if (isRefusal(set)) return set;
  const minds = set.minds ?? DEFAULT_TERMS.minds;
  const refusal = checkNotHuman(
    minds.map(({ id }) => id),
    context,
  );
  if (refusal) return refusal;
  const terms = { ...DEFAULT_TERMS, question: sanitizeLine(context.thread.title), ...set };
  return [termsEvent(initialExchange(), terms, { announced: 1, effective: 1 }, undefined, context)];
}
