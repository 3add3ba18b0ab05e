import type { WireAgent, WirePresence, WireThreadState } from '../../client/index.ts';
import { describePresence } from '../../core/threads/view/presence.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { THREAD_HELP } from '../input/thread-help.ts';
import { printTable } from '../output/table.ts';
import { oneLine } from '../output/text.ts';
import { formatAgo } from '../output/time.ts';
import { withThread } from '../threads/find.ts';

export const declare: DeclareCommand = (command) =>
  command.argument('<thread>', THREAD_HELP).examples('heddle who Garden', 'heddle who Garden --json').run(who);

async function who(cli: Cli, name: string): Promise<void> {
  const { out } = cli;
  const result = await withThread(cli, name, async (thread, client, server) => {
    const [{ state }, { presence }, { agents }] = await Promise.all([
      thread.state(),
      thread.presence(),
      client.agents(),
    ]);
    // Without a server nobody is connected or woken.
    return { state, presence: server ? presence : [], agents, server };
  });
  const { state, presence, agents, server } = result;
  const sandboxes = new Map(agents.map(({ name, sandbox }) => [name, sandbox]));
  const participants = state.participants.map((each) => {
    const sandbox = sandboxes.get(each.profile.client ?? '');
    return sandbox ? { ...each, sandbox } : each;
  });
  if (out.json) return out.value({ thread: state.id, participants, presence });
  const presenceById = new Map(presence.map((entry) => [entry.participant, entry]));
  const memberIds = participants.map(({ id }) => id);
  const visitorIds = presence
    .filter(({ participant }) => !memberIds.includes(participant))
    .map(({ participant }) => participant);
  const rows = [...memberIds, ...visitorIds].map((id) =>
    rowOf(id, participants, server ? presenceLabel(presenceById.get(id)) : ''),
  );
  printTable(out, rows, 0);
  if (!server) out.note('No server is running, so nobody is online. Start one: heddle serve');
}

/** A participant, with its sandbox if a program on this machine runs for it. */
type SandboxedParticipant = WireThreadState['participants'][number] & { readonly sandbox?: WireAgent['sandbox'] };

/** Invitation is permanent and presence is momentary, so each has its own column (T2). */
function rowOf(id: string, participants: readonly SandboxedParticipant[], presence: string): string[] {
  const participant = participants.find((each) => each.id === id);
  const { kind, nickname, roles = [], client, model } = participant?.profile ?? {};
  const standing = [kind, participant?.invited ? 'invited' : undefined, muteLabel(participant?.muted)]
    .filter(Boolean)
    .join(', ');
  const details = [nickname && `“${nickname}”`, ...roles, client, model, participant?.sandbox?.sentence]
    .filter(Boolean)
    .join(', ');
  return [oneLine(id), standing, presence, oneLine(details)];
}

function muteLabel(muted: 'hard' | 'soft' | null | undefined): string | undefined {
  if (!muted) return undefined;
  return muted === 'soft' ? 'muted, messages folded' : 'muted';
}

function presenceLabel(presence: WirePresence | undefined): string {
  const text = describePresence(presence);
  if (!presence || text === '') return 'offline';
  return text.endsWith(presence.state) ? `${text} since ${formatAgo(presence.since, Date.now())}` : text;
}
