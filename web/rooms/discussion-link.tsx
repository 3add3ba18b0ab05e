import { linkToConversation } from '../../src/core/link.ts';
import { formatNumber } from '../../src/core/text/format-number.ts';
import { useStore } from '../data/store.ts';
import { threadRows } from '../data/workspace.ts';
import { useActions } from '../shell/actions.ts';
import { navigate } from '../shell/address.ts';
import { kindName } from '../ui/kinds.ts';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { Time } from '../ui/time.tsx';

const LABEL = 'Discuss';

/** A note in a room's header: who last posted in its discussion. */
export function DiscussionNote({ id }: { readonly id: string }) {
  const row = useStore(threadRows)?.get(id);
  useActions(`This ${kindName(row?.kind ?? 'conversation')}`, [
    { name: LABEL, act: () => navigate(linkToConversation(id)) },
  ]);
  const { said: discussion } = row ?? {};
  if (!discussion) return null;
  return (
    <p className="soft" dir="auto">
      <a href={linkToConversation(id, discussion.event)} data-in-page>
        {escapeBidi(discussion.by)} wrote in the discussion
      </a>{' '}
      <Time ts={discussion.ts} />
      {discussion.count > 1 && `, ${formatNumber(discussion.count)} messages`}
    </p>
  );
}

/** The link to the discussion, in a panel. */
export function DiscussionLink({ id }: { readonly id: string }) {
  return (
    <a
      className="act"
      href={linkToConversation(id)}
      data-in-page
      title="Talk about it with people, agents and an auditor"
    >
      {LABEL}
    </a>
  );
}
