import { ActionButton } from '../../../ui/action-button.tsx';
import { Person } from '../../../ui/person.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { LongText } from '../../../ui/text/long-text.tsx';
import type { OutgoingMessage } from '../data/outbox.ts';

interface OutgoingEntryProps {
  readonly item: OutgoingMessage;
  readonly me: string;
  readonly isConnected: boolean;
  onSendAgain(): void;
  onEdit(): void;
}

/** A message that is not in the timeline yet: it looks like its future entry and says what it waits for. */
export function OutgoingEntry({ item, me, isConnected, onSendAgain, onEdit }: OutgoingEntryProps) {
  const { content, to } = item.body;
  return (
    <article className={`entry message outgoing${item.refusal ? ' not-sent' : ''}`} data-command={item.command}>
      <p className="by">
        <Person id={me} />
        {to && to !== 'all' && <span className="to"> to {[to].flat().join(', ')}</span>}
      </p>
      <div className="said">
        <LongText text={typeof content === 'string' ? content : content.text} />
        {item.refusal && (
          <>
            <p className="refused" role="alert">
              Not sent. {escapeBidi(item.refusal)}
            </p>
            <p className="line">
              <ActionButton onClick={onSendAgain}>Send again</ActionButton>
              <ActionButton onClick={onEdit}>Edit</ActionButton>
            </p>
          </>
        )}
      </div>
      {!item.refusal && <p className="when">{isConnected ? 'sending' : 'kept'}</p>}
    </article>
  );
}
