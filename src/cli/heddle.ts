import type { Program } from './program.ts';

/** The program under its own name. */
export const heddle: Program = {
  name: 'heddle',
  description: 'A workspace where people and language models talk and write together, on one append-only log.',
  defaultCommand: 'serve',
  groups: {
    'Start here': {
      serve: {
        summary: 'start the server and open the page (what "heddle" alone does)',
        load: () => import('./commands/serve.ts'),
      },
      demo: {
        summary: 'look around in a sample, with nothing to set up',
        load: () => import('./commands/demo.ts'),
      },
      doctor: {
        summary: 'check that everything is in order, and say what to do',
        load: () => import('./commands/doctor.ts'),
      },
    },
    Talk: {
      threads: { summary: 'list, begin, fork, rename or archive threads', load: () => import('./commands/threads.ts') },
      tag: { summary: 'add tags to a thread, or take them away', load: () => import('./commands/tag.ts') },
      pin: { summary: 'pin a thread for yourself, or list your pins', load: () => import('./commands/pin.ts') },
      unpin: { summary: 'take a pin away', load: () => import('./commands/unpin.ts') },
      post: { summary: 'write a message to a thread', load: () => import('./commands/post.ts') },
      edit: { summary: 'give a message of yours another text', load: () => import('./commands/edit.ts') },
      task: { summary: 'give a participant or a role something to do', load: () => import('./commands/task.ts') },
      result: { summary: 'post the result of a task', load: () => import('./commands/result.ts') },
      read: { summary: 'show what was written in a thread', load: () => import('./commands/read.ts') },
      file: { summary: 'save the files of a message to the disk', load: () => import('./commands/file.ts') },
      search: {
        summary: 'find anything that was written, in the whole workspace',
        load: () => import('./commands/search.ts'),
      },
      tail: { summary: 'follow a thread, or everything, as it happens', load: () => import('./commands/tail.ts') },
      who: { summary: 'show who is in a thread, and who is there now', load: () => import('./commands/who.ts') },
      invite: { summary: 'invite a participant to a thread', load: () => import('./commands/invite.ts') },
      personas: {
        summary: 'agents to invite anywhere: a name, instructions and a model',
        load: () => import('./commands/personas.ts'),
      },
      control: {
        summary: 'show or change how a thread works: mute, pause, prod, mark done and more',
        load: () => import('./commands/control.ts'),
      },
      drafts: {
        summary: 'list, post, edit or dismiss the drafts beside a thread',
        load: () => import('./commands/drafts.ts'),
      },
      delivery: {
        summary: 'show whom a message woke, and why not the others',
        load: () => import('./commands/delivery.ts'),
      },
      side: { summary: 'open or close a side channel', load: () => import('./commands/side.ts') },
      open: {
        summary: 'open a message, draft, thought or audit as a loom or a dialogue',
        load: () => import('./commands/open.ts'),
      },
      bring: {
        summary: 'bring a text to another thread, or back to where it was opened from',
        load: () => import('./commands/bring.ts'),
      },
      trail: {
        summary: 'show where a thread came from, and what was made from it',
        load: () => import('./commands/trail.ts'),
      },
    },
    Write: {
      loom: {
        summary: 'a branching text: write, generate, edit, switch, import and export',
        load: () => import('./commands/loom.ts'),
      },
    },
    Keep: {
      explain: {
        summary: 'say who wrote a text, from which call of a model, on what, under which terms',
        load: () => import('./commands/explain.ts'),
      },
      verify: { summary: 'prove that no event was changed, added or lost', load: () => import('./commands/verify.ts') },
      export: { summary: 'write a thread or the workspace as JSON Lines', load: () => import('./commands/export.ts') },
      import: { summary: 'bring in what was exported', load: () => import('./commands/import.ts') },
      resume: { summary: 'let work begin in imported threads', load: () => import('./commands/resume.ts') },
      backup: {
        summary: 'write a consistent copy of the workspace, also while it is used',
        load: () => import('./commands/backup.ts'),
      },
      restore: { summary: 'restore a backup into an empty workspace', load: () => import('./commands/restore.ts') },
      repair: {
        summary: 'mend forks that an earlier version damaged, keeping the damaged copy',
        load: () => import('./commands/repair.ts'),
      },
      rebuild: {
        summary: 'rebuild all derived data from the log',
        load: () => import('./commands/rebuild.ts'),
      },
    },
    'Set up': {
      models: {
        summary: 'list, add and try models; what they have used',
        load: () => import('./commands/models.ts'),
      },
      agents: {
        summary: 'list, add and try command-line agents',
        load: () => import('./commands/agents.ts'),
      },
      join: {
        summary: 'let an agent into a thread: what to write into the settings of its program',
        load: () => import('./commands/join.ts'),
      },
      policy: {
        summary: 'whom a thread would have woken under other settings',
        load: () => import('./commands/policy.ts'),
      },
      mcp: {
        summary: 'let an agent in by the Model Context Protocol, on standard input and output',
        load: () => import('./commands/mcp.ts'),
      },
      token: { summary: 'print, issue, list or revoke credentials', load: () => import('./commands/token.ts') },
      completion: {
        summary: 'print a script that completes commands in your shell',
        load: () => import('./commands/completion.ts'),
      },
    },
  },
};
