import type { Program } from './program.ts';

/** A dialogue from the terminal: the names the commands have had from the beginning (C7). */
export const mind: Program = {
  name: 'mind',
  description: 'Send a message and let a mind think about it: it writes one draft after another until you accept one.',
  defaultCommand: 'status',
  target: {
    kind: 'dialogue',
    missing: 'No dialogue is open. Create one: mind init "Garden plans". List existing ones: mind open',
  },
  groups: {
    Start: {
      init: { summary: 'create a dialogue and make it the current one', load: () => import('./mind/commands/init.ts') },
      open: { summary: 'switch to a dialogue, or list them', load: () => import('./mind/commands/open.ts') },
      message: { summary: 'send the mind a message', load: () => import('./mind/commands/message.ts') },
    },
    'Let it think': {
      step: { summary: 'run one iteration', load: () => import('./mind/commands/step.ts') },
      run: { summary: 'run until a stop rule applies', load: () => import('./mind/commands/run.ts') },
      stop: { summary: 'stop the run', load: () => import('./mind/commands/stop.ts') },
      watch: { summary: 'follow the drafts live, and answer', load: () => import('./mind/commands/watch.ts') },
    },
    'Read and answer': {
      status: {
        summary: 'show what the mind needs from you ("mind" alone does the same)',
        load: () => import('./mind/commands/status.ts'),
      },
      drafts: { summary: 'show, compare, mark or archive drafts', load: () => import('./mind/commands/drafts.ts') },
      away: { summary: 'show what is new since you last looked', load: () => import('./mind/commands/away.ts') },
      accept: { summary: 'accept a draft as the answer', load: () => import('./mind/commands/accept.ts') },
      steer: { summary: 'send the mind a note, without accepting', load: () => import('./mind/commands/steer.ts') },
      withdraw: { summary: 'withdraw the message', load: () => import('./mind/commands/withdraw.ts') },
      presence: { summary: 'tell the mind how closely you follow', load: () => import('./mind/commands/presence.ts') },
    },
    History: {
      history: { summary: 'show messages and accepted answers', load: () => import('./mind/commands/history.ts') },
      reopen: {
        summary: 'choose another draft of an old turn, in a fork',
        load: () => import('./mind/commands/reopen.ts'),
      },
      fork: { summary: 'start another topic while this one waits', load: () => import('./mind/commands/fork.ts') },
      clusters: { summary: 'show what its thoughts are about', load: () => import('./mind/commands/clusters.ts') },
    },
    'Set up': {
      config: { summary: 'show or change the dialogue’s settings', load: () => import('./mind/commands/config.ts') },
      completion: {
        summary: 'print a script that completes commands in your shell',
        load: () => import('./commands/completion.ts'),
      },
    },
  },
};
