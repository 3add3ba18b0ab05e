import { AuditJob, BranchJob, MindJob, SettleJob } from '../../core/exchange/jobs.ts';
import type { Exchange } from '../../core/exchange/state.ts';
import type { EngineMode } from '../engine-mode.ts';
import { exchangeExplanations } from '../explain/exchange.ts';
import { createAuditor } from './auditor.ts';
import { createExchangeMind } from './mind.ts';
import { branchByPolicy, createRoundSettler } from './settle.ts';

export const exchangeEngine: EngineMode<Exchange> = {
  performers: ({ models, embedder, time }) => ({
    [MindJob.kind]: createExchangeMind(models, time),
    [AuditJob.kind]: createAuditor(models, time),
    [SettleJob.kind]: createRoundSettler(embedder),
    [BranchJob.kind]: branchByPolicy,
  }),
  explanations: exchangeExplanations,
  sample: {
    create: (model) => ({
      title: 'What makes a good friend?',
      kind: 'exchange',
      setup: { model, minds: 2, parallel: true, audit_every: 4, ask_after_audit: 'always' },
      invite: [],
    }),
    commandsFor: (thread) => [{ name: 'run', input: { thread, rounds: 8 } }],
  },
};
