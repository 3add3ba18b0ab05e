import { Check, Pencil, Reply } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { nameInThread, ThreadPeople } from '../data/thread-people.tsx';
import { type Action, Actions } from '../shell/actions.ts';
import { navigate } from '../shell/address.ts';
import { Button, ButtonLink } from '../ui/controls/button.tsx';
import { showToast } from '../ui/floating/toast.tsx';
import { KindIcon } from '../ui/kind-icon.tsx';
import { Face, Name } from '../ui/people/participant.tsx';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { Card } from '../ui/status/card.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { firstLine } from '../ui/text/first-line.ts';
import { Time } from '../ui/time.tsx';
import { AcknowledgeForm, AnswerForm, EditForm, ReplyForm } from './card-forms.tsx';
import { useEventText } from './event-text.ts';
import { type CardAction, cardActions } from './need-actions.ts';
import styles from './need-card.module.css';
import { type InboxNeed, needSentence } from './needs.ts';

interface NeedCardProps {
  readonly need: InboxNeed;
  /** The selected card has the filled button. */
  readonly isSelected: boolean;
  /** It has the focus: its letters are keys. */
  readonly hasKeys: boolean;
}

const MAX_QUOTE = 280;

/** Who wants what, where, the beginning of it, and the action itself. */
export function NeedCard(props: NeedCardProps) {
  return (
    <ThreadPeople thread={props.need.row?.id}>
      <Need {...props} />
    </ThreadPeople>
  );
}

function Need({ need, isSelected, hasKeys }: NeedCardProps) {
  const { key, row, by, words, link, ts, facts, action } = need;
  const { attempt, busy, refusal } = useAttempt();
  const [form, setForm] = useState<'edit' | 'reply' | 'acknowledge'>();
  const card = useRef<HTMLDivElement>(null);
  const loaded = useEventText(row?.id, need.quoted);
  const quote = need.quote ?? loaded;
  const actions = cardActions(need);
  const kind = isSelected ? 'primary' : 'secondary';
  const isForOpening = action.kind === 'open' || action.kind === 'restart';

  const run = ({ run: send, done }: CardAction) =>
    void attempt(send).then((result) => result !== undefined && showToast({ message: done }));
  const open = () => navigate(link);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.target !== card.current) return;
    event.preventDefault();
    open();
  };
  const closeForm = () => {
    setForm(undefined);
    card.current?.focus();
  };
  const shortcutOf = (shortcut: string) => (hasKeys ? shortcut : undefined);
  const [first, ...others] = actions;
  const keys: Action[] = [
    ...actions.map((each) => ({ name: each.label, keys: [each.shortcut], act: () => run(each) })),
    { name: 'Edit before posting', keys: ['e'], act: () => setForm('edit'), when: action.kind === 'post' },
    { name: 'Reply', keys: ['r'], act: () => setForm('reply'), when: action.kind === 'reply' },
    { name: 'Acknowledge', keys: ['a'], act: () => setForm('acknowledge'), when: action.kind === 'restart' },
    { name: 'Write the answer', keys: ['r'], act: () => focusField(card.current), when: action.kind === 'answer' },
    { name: 'Open the selected card', keys: ['Enter'] },
  ];
  return (
    <Card
      as="article"
      ref={card}
      tabIndex={-1}
      aria-label={escapeBidi(needSentence(need, nameInThread))}
      data-need={key}
      onKeyDown={onKeyDown}
      tone={isSelected ? 'selected' : 'plain'}
      className={styles.card}
    >
      {hasKeys && <Actions label="The selected card" actions={keys} />}
      <span className={styles.face}>{by ? <Face id={by} /> : row && <KindIcon kind={row.kind} size={20} />}</span>
      <header className={styles.why}>
        <a href={link} data-in-page>
          {by && (
            <b>
              <Name id={by} />
            </b>
          )}{' '}
          {escapeBidi(words)}
        </a>
        {ts && <Time ts={ts} />}
      </header>
      <p className={styles.where}>
        {row && <bdi>{escapeBidi(row.title)}</bdi>}
        {facts && <span>{row ? ` · ${facts}` : facts}</span>}
      </p>
      {quote && form !== 'edit' && (
        <p className={isSerif(need) ? `${styles.quote} ${styles.serif}` : styles.quote} dir="auto">
          {firstLine(quote.replace(/\s+/g, ' '), MAX_QUOTE)}
        </p>
      )}
      {row && action.kind === 'answer' && <AnswerForm row={row} name={by ?? ''} kind={kind} />}
      {row && action.kind === 'reply' && form === 'reply' && (
        <ReplyForm row={row} event={action.event} name={by ?? ''} onClose={closeForm} />
      )}
      {row && action.kind === 'restart' && form === 'acknowledge' && <AcknowledgeForm row={row} onClose={closeForm} />}
      {row && action.kind === 'post' && form === 'edit' ? (
        <EditForm row={row} index={action.index} event={action.event} onClose={closeForm} />
      ) : (
        <div className={styles.actions}>
          {first && (
            <Button
              kind={action.kind === 'answer' ? 'quiet' : kind}
              {...(action.kind === 'accept' && { icon: Check })}
              shortcut={shortcutOf(first.shortcut)}
              disabled={busy}
              onClick={() => run(first)}
            >
              {first.label}
            </Button>
          )}
          {action.kind === 'post' && (
            <Button kind="quiet" icon={Pencil} shortcut={shortcutOf('e')} onClick={() => setForm('edit')}>
              Edit
            </Button>
          )}
          {action.kind === 'reply' && form === undefined && (
            <Button kind={kind} icon={Reply} shortcut={shortcutOf('r')} onClick={() => setForm('reply')}>
              Reply
            </Button>
          )}
          {others.map((each) => (
            <Button
              key={each.label}
              kind="quiet"
              shortcut={shortcutOf(each.shortcut)}
              disabled={busy}
              onClick={() => run(each)}
            >
              {each.label}
            </Button>
          ))}
          <ButtonLink kind={isForOpening ? (form ? 'secondary' : kind) : 'quiet'} href={link}>
            {linkLabel(action)}
          </ButtonLink>
          {action.kind === 'restart' && form === undefined && (
            <Button kind="quiet" icon={Check} shortcut={shortcutOf('a')} onClick={() => setForm('acknowledge')}>
              Acknowledge
            </Button>
          )}
        </div>
      )}
      <RefusalMessage reason={refusal} />
    </Card>
  );
}

function linkLabel(action: InboxNeed['action']): string {
  if (action.kind === 'open') return action.verb;
  if (action.kind === 'restart') return 'Decide';
  return action.kind === 'accept' ? 'Read' : 'Open';
}

/** Drafts and audits are set as what was written, messages as chat. */
function isSerif({ row }: InboxNeed): boolean {
  return row?.kind === 'dialogue' || row?.kind === 'exchange';
}

function focusField(card: HTMLElement | null): void {
  card?.querySelector<HTMLElement>('input, textarea')?.focus();
}
