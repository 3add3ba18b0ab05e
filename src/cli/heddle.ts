import type { Program } from './program.ts';

/** The program under its own name. */
export const heddle: Program = {
  name: 'heddle',
  description: 'A workspace where people and language models talk and write together, on one append-only log.',
  defaultCommand: 'serve',
  groups: {
    'Start here': {
      serve: {
        summary: 'start the server and open the page ("heddle" alone does the same)',
        load: () => import('./commands/serve.ts'),
      },
      demo: {
        summary: 'look around in a sample, without any set-up',
        load: () => import('./commands/demo.ts'),
      },
      doctor: {
        summary: 'check the set-up and suggest fixes',
        load: () => import('./commands/doctor.ts'),
      },
    },
    Talk: {
      threads: {
        summary: 'list, create, fork, rename or archive threads',
        load: () => import('./commands/threads.ts'),
      },
      tag: { summary: 'add tags to a thread, or remove them', load: () => import('./commands/tag.ts') },
      pin: { summary: 'pin a thread for yourself, or list your pins', load: () => import('./commands/pin.ts') },
      unpin: { summary: 'remove a pin', load: () => import('./commands/unpin.ts') },
      post: { summary: 'write a message to a thread', load: () => import('./commands/post.ts') },
      edit: { summary: 'edit one of your messages', load: () => import('./commands/edit.ts') },
      task: { summary: 'give a task to a participant or a role', load: () => import('./commands/task.ts') },
      result: { summary: 'post the result of a task', load: () => import('./commands/result.ts') },
      read: { summary: 'show the messages of a thread', load: () => import('./commands/read.ts') },
      file: { summary: 'save the files of a message', load: () => import('./commands/file.ts') },
      search: {
        summary: 'search all texts of the workspace',
        load: () => import('./commands/search.ts'),
      },
      tail: { summary: 'follow a thread, or all threads, live', load: () => import('./commands/tail.ts') },
      who: { summary: 'show who is in a thread, and who is online', load: () => import('./commands/who.ts') },
      invite: { summary: 'invite a participant to a thread', load: () => import('./commands/invite.ts') },
      personas: {
        summary: 'manage personas: a name, instructions and a model for agents',
        load: () => import('./commands/personas.ts'),
      },
      control: {
        summary: 'show or change how a thread works: mute, pause, ask to reply (prod), mark done and more',
        load: () => import('./commands/control.ts'),
      },
      drafts: {
        summary: 'list, post, edit or dismiss the drafts in a thread',
        load: () => import('./commands/drafts.ts'),
      },
      delivery: {
        summary: 'show whom a message woke, and why it did not wake the others',
        load: () => import('./commands/delivery.ts'),
      },
      side: { summary: 'open or close a side channel', load: () => import('./commands/side.ts') },
      open: {
        summary: 'open a message, draft, thought or audit as a loom or a dialogue',
        load: () => import('./commands/open.ts'),
      },
      bring: {
        summary: 'send a text to another thread, or back to where it was opened from',
        load: () => import('./commands/bring.ts'),
      },
      trail: {
        summary: 'show where a thread came from, and what was opened from it',
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
        summary: 'show who wrote a text, in which model call, from which input and under which terms',
        load: () => import('./commands/explain.ts'),
      },
      verify: { summary: 'prove that no event was changed, added or lost', load: () => import('./commands/verify.ts') },
      export: { summary: 'write a thread or the workspace as JSON Lines', load: () => import('./commands/export.ts') },
      import: { summary: 'import an export', load: () => import('./commands/import.ts') },
      resume: { summary: 'start unfinished work in imported threads', load: () => import('./commands/resume.ts') },
      backup: {
        summary: 'write a consistent copy of the workspace, even while it is in use',
        load: () => import('./commands/backup.ts'),
      },
      restore: { summary: 'restore a backup into an empty workspace', load: () => import('./commands/restore.ts') },
      repair: {
        summary: 'repair forks that an earlier version damaged, and keep the damaged copy',
        load: () => import('./commands/repair.ts'),
      },
      rebuild: {
        summary: 'rebuild all derived data from the log',
        load: () => import('./commands/rebuild.ts'),
      },
    },
    'Set up': {
      models: {
        summary: 'list, add and test models; show their usage',
        load: () => import('./commands/models.ts'),
      },
      agents: {
        summary: 'list, add and test command-line agents',
        load: () => import('./commands/agents.ts'),
      },
      join: {
        summary: 'connect an agent to a thread: prints the settings for its program',
        load: () => import('./commands/join.ts'),
      },
      policy: {
        summary: 'show whom a thread would have woken under other settings',
        load: () => import('./commands/policy.ts'),
      },
      mcp: {
        summary: 'serve an agent over the Model Context Protocol, on standard input and output',
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
