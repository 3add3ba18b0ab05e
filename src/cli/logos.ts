import type { Program } from './program.ts';

/** An exchange from the terminal: the names the commands have had from the beginning (C8). */
export const logos: Program = {
  name: 'logos',
  description:
    'Minds think in rounds in a shared pool, an auditor sums up by instructions that all can read, and you, the observer, decide.',
  defaultCommand: 'status',
  target: {
    kind: 'exchange',
    missing: 'No exchange is open. Create one: logos init "What is a good garden?". List existing ones: logos open',
  },
  groups: {
    Start: {
      init: {
        summary: 'create an exchange and make it the current one',
        load: () => import('./logos/commands/init.ts'),
      },
      open: {
        summary: 'switch to an exchange, or list them',
        load: () => import('./logos/commands/open.ts'),
      },
      run: { summary: 'run some rounds', load: () => import('./logos/commands/run.ts') },
      step: { summary: 'run one round', load: () => import('./logos/commands/step.ts') },
      stop: { summary: 'stop the rounds', load: () => import('./logos/commands/stop.ts') },
      chat: { summary: 'follow the exchange live, and answer', load: () => import('./logos/commands/chat.ts') },
    },
    'Speak and decide': {
      inject: { summary: 'show the minds a message from outside', load: () => import('./logos/commands/inject.ts') },
      audit: { summary: 'ask for an audit now', load: () => import('./logos/commands/audit.ts') },
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
      terms: { summary: 'show the terms, and earlier versions', load: () => import('./logos/commands/terms.ts') },
      amend: { summary: 'change a text or other terms', load: () => import('./logos/commands/amend.ts') },
      branch: { summary: 'start a branch from here', load: () => import('./logos/commands/branch.ts') },
      rollback: { summary: 'start a branch from an earlier round', load: () => import('./logos/commands/rollback.ts') },
      branches: { summary: 'show the tree of branches', load: () => import('./logos/commands/branches.ts') },
      compare: { summary: 'compare two branches side by side', load: () => import('./logos/commands/compare.ts') },
    },
    Read: {
      status: {
        summary: 'show the status ("logos" alone does the same)',
        load: () => import('./logos/commands/status.ts'),
      },
      log: { summary: 'show thoughts and everything said', load: () => import('./logos/commands/log.ts') },
      audits: { summary: 'read audits', load: () => import('./logos/commands/audits.ts') },
      clusters: { summary: 'show what the thoughts are about', load: () => import('./logos/commands/clusters.ts') },
      drift: { summary: 'show how the pool changes over the rounds', load: () => import('./logos/commands/drift.ts') },
      powers: {
        summary: 'show who may do what, and under which rule',
        load: () => import('./logos/commands/powers.ts'),
      },
      completion: {
        summary: 'print a script that completes commands in your shell',
        load: () => import('./commands/completion.ts'),
      },
    },
  },
};
