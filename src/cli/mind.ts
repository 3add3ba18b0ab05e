import type { Program } from './program.ts';

/** A dialogue from the terminal: the names the commands have had from the beginning (C7). */
export const mind: Program = {
  name: 'mind',
  description: 'Say one thing, and let a mind think about it: it drafts and drafts again until you accept a draft.',
  defaultCommand: 'status',
  target: {
    kind: 'dialogue',
    missing: 'No dialogue is open here. Begin one: mind init "Garden plans". "mind open" lists those there are.',
  },
  groups: {
    'Begin and say': {
      init: { summary: 'begin a dialogue and make it the current one', load: () => import('./mind/commands/init.ts') },
      open: { summary: 'make a dialogue the current one, or list them', load: () => import('./mind/commands/open.ts') },
      message: { summary: 'say something to the mind', load: () => import('./mind/commands/message.ts') },
    },
    'Let it think': {
      step: { summary: 'let it think for one iteration', load: () => import('./mind/commands/step.ts') },
      run: { summary: 'let it think until a stop rule holds', load: () => import('./mind/commands/run.ts') },
      stop: { summary: 'end the run', load: () => import('./mind/commands/stop.ts') },
      watch: { summary: 'see the drafts as they come, and answer', load: () => import('./mind/commands/watch.ts') },
    },
    'Read and answer': {
      status: {
        summary: 'what the mind wants of you (what "mind" alone does)',
        load: () => import('./mind/commands/status.ts'),
      },
      drafts: { summary: 'show, compare, mark or archive drafts', load: () => import('./mind/commands/drafts.ts') },
      away: { summary: 'what came since you last looked', load: () => import('./mind/commands/away.ts') },
      accept: { summary: 'make a draft the answer', load: () => import('./mind/commands/accept.ts') },
      steer: { summary: 'give the mind a note, without accepting', load: () => import('./mind/commands/steer.ts') },
      withdraw: { summary: 'take the message back', load: () => import('./mind/commands/withdraw.ts') },
      presence: { summary: 'say how you attend to it', load: () => import('./mind/commands/presence.ts') },
    },
    'What was': {
      history: { summary: 'show what was said and accepted', load: () => import('./mind/commands/history.ts') },
      reopen: {
        summary: 'choose another draft of an old turn, in a fork',
        load: () => import('./mind/commands/reopen.ts'),
      },
      fork: { summary: 'begin another topic beside this one', load: () => import('./mind/commands/fork.ts') },
      clusters: { summary: 'what its thoughts are about', load: () => import('./mind/commands/clusters.ts') },
    },
    'Set up': {
      config: { summary: 'show or change settings of the dialogue', load: () => import('./mind/commands/config.ts') },
      completion: {
        summary: 'print a script that completes commands in your shell',
        load: () => import('./commands/completion.ts'),
      },
    },
  },
};
