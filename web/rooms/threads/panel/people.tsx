import {
  Check,
  Ellipsis,
  FilePen,
  Info,
  MessageSquareReply,
  Minus,
  UserMinus,
  UserPlus,
  Volume2,
  VolumeX,
} from 'lucide-react';
import type { WirePresence, WireThreadState } from '../../../../src/client/index.ts';
import type { Control } from '../../../../src/core/threads/schema.ts';
import { describePresence } from '../../../../src/core/threads/view/presence.ts';
import type { GrowingText } from '../../../data/live-texts.ts';
import { useSelected, useStore } from '../../../data/store.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../../ui/floating/menu.tsx';
import type { Icon } from '../../../ui/icon.tsx';
import { Face, Name } from '../../../ui/people/participant.tsx';
import { RefusalMessage, useAttempt } from '../../../ui/refusal.tsx';
import type { OpenThread } from '../data/thread.ts';
import type { ThreadDialog } from '../dialogs/open-dialog.ts';
import {
  describeAnswering,
  isAgent,
  participantActions,
  postingAction,
  splitParticipants,
  type ThreadParticipant,
} from './control-actions.ts';
import styles from './panel.module.css';

interface PeopleProps {
  readonly thread: OpenThread;
  readonly state: WireThreadState;
  onDialog(dialog: ThreadDialog): void;
}

/** Those who belong to the thread, and those who are only there (T2). */
export function PeopleList({ thread, state, onDialog }: PeopleProps) {
  const presence = useStore(thread.presence);
  const isConnected = useStore(thread.connection) === 'open';
  const writers = useSelected(thread.liveTexts, writerIds).split(' ');
  const { attempt, refusal } = useAttempt();
  const { members, others } = splitParticipants(state, presence, thread.me);
  const row = (participant: ThreadParticipant) => (
    <PersonRow
      key={participant.id}
      participant={participant}
      me={thread.me}
      facts={[
        writers.includes(participant.id)
          ? 'Writing'
          : describeState(isConnected ? presence.get(participant.id) : undefined),
        describeAnswering(state, participant),
      ]}
      isOnline={isConnected && presence.get(participant.id)?.reach === 'live'}
      onPost={(controls) => void attempt(() => thread.control(controls))}
      onDialog={onDialog}
    />
  );
  return (
    <section aria-label="People" className={styles.people}>
      {!isConnected && <p className={styles.soft}>Not connected: who is online is unknown.</p>}
      <ul>{members.map(row)}</ul>
      <RefusalMessage reason={refusal} />
      {others.length > 0 && (
        <>
          <h3>Not invited</h3>
          <ul>{others.map(row)}</ul>
        </>
      )}
    </section>
  );
}

/** An id has no spaces. */
function writerIds(texts: readonly GrowingText[]): string {
  return texts
    .map(({ from }) => from)
    .sort()
    .join(' ');
}

function describeState(presence: WirePresence | undefined): string {
  if (presence?.state === 'thinking' && presence.reach !== 'declared') return 'Reading';
  const words = describePresence(presence);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

interface PersonRowProps {
  readonly participant: ThreadParticipant;
  readonly me: string;
  readonly facts: readonly string[];
  readonly isOnline: boolean;
  onPost(controls: readonly Control[]): void;
  onDialog(dialog: ThreadDialog): void;
}

function PersonRow({ participant, me, facts, isOnline, onPost, onDialog }: PersonRowProps) {
  const { id } = participant;
  return (
    <li className={styles.person}>
      <Face id={id} online={isOnline} />
      <span className={styles.names}>
        <b>
          <Name id={id} />
        </b>
        {id === me && ' (you)'}
        <small>{facts.filter(Boolean).join(' · ')}</small>
      </span>
      <Menu trigger={<IconButton icon={Ellipsis} label={`More for ${id}`} />}>
        <PersonMenu participant={participant} me={me} onPost={onPost} onDialog={onDialog} />
      </Menu>
    </li>
  );
}

const ICONS: Readonly<Record<string, Icon>> = {
  'Ask to reply': MessageSquareReply,
  Mute: VolumeX,
  'Mute and fold messages': Minus,
  Unmute: Volume2,
  Remove: UserMinus,
  Invite: UserPlus,
};

function PersonMenu({ participant, me, onPost, onDialog }: Omit<PersonRowProps, 'facts' | 'isOnline'>) {
  const { id, profile } = participant;
  const posting = postingAction(participant);
  const actions = participantActions(participant, me);
  const item = ({ name, controls }: (typeof actions)[number]) => (
    <MenuItem
      key={name}
      {...(ICONS[name] && { icon: ICONS[name] })}
      danger={name === 'Remove'}
      onSelect={() => onPost(controls)}
    >
      {name}
    </MenuItem>
  );
  return (
    <>
      {actions.slice(0, -1).map(item)}
      {posting && (
        <MenuItem icon={profile.posting === 'draft' ? Check : FilePen} onSelect={() => onPost(posting.controls)}>
          {profile.posting === 'draft' ? 'Approve before posting: on' : 'Approve before posting: off'}
        </MenuItem>
      )}
      {isAgent(participant) && (
        <MenuItem icon={FilePen} onSelect={() => onDialog({ kind: 'settings', about: id })}>
          Change instructions
        </MenuItem>
      )}
      <MenuItem icon={Info} onSelect={() => onDialog({ kind: 'person', id })}>
        About {id}
      </MenuItem>
      <MenuSeparator />
      {actions.slice(-1).map(item)}
    </>
  );
}
