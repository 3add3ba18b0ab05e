import type { Context, Decision, Domain, World } from '../decider.ts';
import { isRefusal } from '../refusal.ts';
import { checkBounds } from './access/bounds.ts';
import type { ConversationCommand } from './commands.ts';
import { decideThread } from './decide.ts';
import { evolveThread } from './evolve.ts';
import { threadJobs } from './jobs.ts';
import { canReact, reactThread } from './react.ts';
import { initialThread, type ThreadState } from './state.ts';
import type { ThreadSummary } from './view/schema.ts';
import { summaryOf } from './view/view.ts';

export const threads: Domain<ThreadState, ConversationCommand, ThreadSummary> = {
  version: 1,
  initial: initialThread,
  decide,
  evolve: evolveThread,
  reactsTo: new Set(['control']),
  canReact,
  react: reactThread,
  jobTriggers: new Set(['message', 'task', 'result', 'control', 'wake.closed']),
  jobs: threadJobs,
  summary: summaryOf,
};

function decide(world: World<ThreadState>, command: ConversationCommand, context: Context): Decision {
  const decision = decideThread(world, command, context);
  // The text that an agent wrote for an answer is kept in any case (T18).
  if (isRefusal(decision) || command.name === 'answer') return decision;
  return checkBounds(world, decision, context) ?? decision;
}
