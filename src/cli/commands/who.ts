import type { WireAgent, WirePresence, WireThreadState } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import { type Declare, examples } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { table } from '../output/table.ts';
import { oneLine } from '../output/text.ts';
import { ago } from '../output/time.ts';
import { threadOfClient } from '../threads/find.ts';

export const declare: Declare = (command, start) =>
  command
    .argument('<thread>', 'its id, the beginning or end of it, or its exact title')
    .addHelpText('after', examples('heddle who Garden', 'heddle who Garden --json'))
    .action((name: string) => who(start(), name));

async function who(cli: Cli, name: string): Promise<void> {
  const { out } = cli;
  const found = await withClient(cli, async (client, server) => {
    const thread = client.thread(await threadOfClient(client, name));
    const [{ state }, { presence }, { agents }] = await Promise.all([
      thread.state(),
      thread.presence(),
      client.agents(),
    ]);
    return { state, presence, agents, server };
  });
  const { state, presence, agents } = found;
  const sandboxes = new Map(agents.map(({ name, sandbox }) => [name, sandbox]));
  const participants = state.participants.map((each) => {
    const sandbox = sandboxes.get(each.profile.client ?? '');
    return sandbox ? { ...each, sandbox } : each;
  });
  if (out.json) return out.value({ thread: state.id, participants, presence });
  const here = new Map(presence.map((entry) => [entry.participant, entry]));
  const known = participants.map(({ id }) => id);
  const strangers = presence
    .filter(({ participant }) => !known.includes(participant))
    .map(({ participant }) => participant);
  const rows = [...known, ...strangers].map((id) => rowOf(id, participants, here.get(id)));
  for (const line of table(rows, out.width, (cell, column) => (column === 0 ? cell : out.colors.dim(cell))))
    out.line(line);
  if (!found.server) out.note('No server is running, so nobody is present.');
}

/** Somebody of the thread; where a program of this machine is run for it, with what that may see. */
type Known = WireThreadState['participants'][number] & { readonly sandbox?: WireAgent['sandbox'] };

/** Invited is for good, presence is for now: two columns (T2). */
function rowOf(id: string, participants: readonly Known[], presence: WirePresence | undefined): string[] {
  const participant = participants.find((each) => each.id === id);
  const { kind, nickname, roles = [], client, model } = participant?.profile ?? {};
  const standing = [kind, participant?.invited ? 'invited' : undefined, mutedWord(participant?.muted)]
    .filter(Boolean)
    .join(', ');
  const details = [nickname && `“${nickname}”`, ...roles, client, model, participant?.sandbox?.sentence]
    .filter(Boolean)
    .join(', ');
  return [oneLine(id), standing, presenceWord(presence), oneLine(details)];
}

function mutedWord(muted: 'hard' | 'soft' | null | undefined): string | undefined {
  if (!muted) return undefined;
  return muted === 'soft' ? 'softly muted' : 'muted';
}

function presenceWord(presence: WirePresence | undefined): string {
  if (!presence || presence.state === 'offline') return 'not here';
  const since = presence.state === 'listening' ? '' : ` since ${ago(presence.since, Date.now())}`;
  return `${presence.state}${since}${presence.reach === 'declared' ? ' (says so)' : ''}`;
}
