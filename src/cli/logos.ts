import type { Program } from './program.ts';

/** An exchange from the terminal: the names the commands have had from the beginning (C8). */
export const logos: Program = {
  name: 'logos',
  description:
    'A pool of minds thinks in rounds, an auditor sums up by a text all can read, and you, the observer, decide.',
  defaultCommand: 'status',
  target: {
    kind: 'exchange',
    missing:
      'No exchange is open here. Begin one: logos init "What is a good garden?". "logos open" lists those there are.',
  },
  groups: {
    'Begin and let it think': {
      init: {
        summary: 'begin an exchange and make it the current one',
        load: () => import('./logos/commands/init.ts'),
      },
      open: {
        summary: 'make an exchange the current one, or list them',
        load: () => import('./logos/commands/open.ts'),
      },
      run: { summary: 'let the minds think for some rounds', load: () => import('./logos/commands/run.ts') },
      step: { summary: 'let them think for one round', load: () => import('./logos/commands/step.ts') },
      stop: { summary: 'end the rounds', load: () => import('./logos/commands/stop.ts') },
      chat: { summary: 'see it as it comes, and answer in place', load: () => import('./logos/commands/chat.ts') },
    },
    'Speak and decide': {
      inject: { summary: 'put a message before the minds', load: () => import('./logos/commands/inject.ts') },
      audit: { summary: 'have an audit written now', load: () => import('./logos/commands/audit.ts') },
      observe: {
        summary: 'speak as the observer; answers an audit',
        load: () => import('./logos/commands/observe.ts'),
      },
      decide: { summary: 'answer a request for a restart', load: () => import('./logos/commands/decide.ts') },
      veto: {
        summary: 'hide a thought from the minds, or show it again',
        load: () => import('./logos/commands/veto.ts'),
      },
      halt: { summary: 'end the exchange', load: () => import('./logos/commands/halt.ts') },
    },
    'Terms and branches': {
      terms: { summary: 'what holds, and what held before', load: () => import('./logos/commands/terms.ts') },
      amend: { summary: 'change a text or other terms', load: () => import('./logos/commands/amend.ts') },
      branch: { summary: 'begin a branch from here', load: () => import('./logos/commands/branch.ts') },
      rollback: { summary: 'begin a branch from an earlier round', load: () => import('./logos/commands/rollback.ts') },
      branches: { summary: 'the tree of branches', load: () => import('./logos/commands/branches.ts') },
      compare: { summary: 'two branches side by side', load: () => import('./logos/commands/compare.ts') },
    },
    Read: {
      status: { summary: 'how it stands (what "logos" alone does)', load: () => import('./logos/commands/status.ts') },
      log: { summary: 'thoughts and all that was said', load: () => import('./logos/commands/log.ts') },
      audits: { summary: 'read audits', load: () => import('./logos/commands/audits.ts') },
      clusters: { summary: 'what the thoughts are about', load: () => import('./logos/commands/clusters.ts') },
      drift: { summary: 'how the pool changes over the rounds', load: () => import('./logos/commands/drift.ts') },
      powers: { summary: 'who may do what, and under which rule', load: () => import('./logos/commands/powers.ts') },
      completion: {
        summary: 'print a script that completes commands in your shell',
        load: () => import('./commands/completion.ts'),
      },
    },
  },
};
