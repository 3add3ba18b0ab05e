import type { Domain } from '../decider.ts';
import type { Command } from './commands.ts';
import { decideThread } from './decide.ts';
import { evolveThread } from './evolve.ts';
import { threadJobs } from './jobs.ts';
import { reactThread } from './react.ts';
import { initialThread, type ThreadState } from './state.ts';
import { summaryOf } from './view.ts';

export const threads: Domain<ThreadState, Command> = {
  version: 1,
  initial: initialThread,
  decide: decideThread,
  evolve: evolveThread,
  reactsTo: new Set(['control']),
  react: reactThread,
  worksAfter: new Set(['message', 'task', 'result', 'control', 'wake.closed']),
  jobs: threadJobs,
  summary: summaryOf,
};
