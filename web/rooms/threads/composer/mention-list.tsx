import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import type { WireThreadState } from '../../../../src/client/index.ts';
import { Face, Name } from '../../../ui/people/participant.tsx';
import { usePerson } from '../../../ui/people/people.ts';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import styles from './composer.module.css';
import { insertMention, type MentionOption, mentionAt, mentionOptions } from './mentions.ts';

interface MentionsInput {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly state: WireThreadState | undefined;
  readonly me: string;
  onText(text: string): void;
}

/** Completes an `@` mention while typing: arrows choose, Enter or Tab inserts, Esc leaves the text unchanged. */
export function useMentions({ field, text, state, me, onText }: MentionsInput) {
  const listId = useId();
  const [caret, setCaret] = useState<number>();
  const [active, setActive] = useState(0);
  /** The start of the mention that Esc dismissed. */
  const [dismissedStart, setDismissedStart] = useState<number>();
  const pendingCaret = useRef<number | undefined>(undefined);

  const mention = caret === undefined ? undefined : mentionAt(text, caret);
  const options =
    mention && mention.start !== dismissedStart ? mentionOptions(state?.participants ?? [], me, mention.query) : [];
  const activeIndex = Math.min(active, options.length - 1);
  const isOpen = options.length > 0;

  useLayoutEffect(() => {
    if (pendingCaret.current === undefined) return;
    field.current?.setSelectionRange(pendingCaret.current, pendingCaret.current);
    pendingCaret.current = undefined;
  });

  function insertOption({ name }: MentionOption): void {
    if (!mention || caret === undefined) return;
    const next = insertMention(text, { start: mention.start, end: caret, name });
    pendingCaret.current = next.caret;
    setCaret(next.caret);
    setActive(0);
    onText(next.text);
  }

  /** Returns whether the list handled the key. */
  function handleKey(event: KeyboardEvent): boolean {
    if (!isOpen || event.nativeEvent.isComposing || event.shiftKey) return false;
    const selected = options[activeIndex];
    if (event.key === 'ArrowDown') setActive((activeIndex + 1) % options.length);
    else if (event.key === 'ArrowUp') setActive((activeIndex + options.length - 1) % options.length);
    else if (event.key === 'Escape') setDismissedStart(mention?.start);
    else if ((event.key === 'Enter' || event.key === 'Tab') && selected) insertOption(selected);
    else return false;
    event.preventDefault();
    return true;
  }

  function onCaretMove(): void {
    const now = field.current?.selectionStart;
    if (now !== caret) setActive(0);
    setCaret(now);
    if (!mention) setDismissedStart(undefined);
  }

  const optionId = (index: number) => `${listId}-${index}`;
  return {
    handleKey,
    onCaretMove,
    onBlur: () => setCaret(undefined),
    /** Puts the caret here once the text that goes with it is shown. */
    moveTo(position: number) {
      pendingCaret.current = position;
      setCaret(position);
      setActive(0);
      setDismissedStart(undefined);
    },
    /** Attributes that announce the list and its active option to a screen reader. */
    aria: isOpen
      ? ({
          role: 'combobox',
          'aria-autocomplete': 'list',
          'aria-expanded': true,
          'aria-controls': listId,
          'aria-activedescendant': optionId(activeIndex),
        } as const)
      : ({ 'aria-autocomplete': 'list' } as const),
    view: isOpen && (
      <div className={styles.mentions} role="listbox" id={listId} aria-label="People to mention">
        {options.map((item, index) => (
          <div
            key={item.name}
            id={optionId(index)}
            role="option"
            aria-selected={index === activeIndex}
            className={styles.option}
            tabIndex={-1}
            // The field keeps the focus.
            onMouseDown={(event) => {
              event.preventDefault();
              insertOption(item);
            }}
          >
            {item.name !== 'all' && <Face id={item.name} size="small" />}
            <b>{item.name === 'all' ? 'all' : <Name id={item.name} />}</b>
            {item.name !== 'all' && <OtherId id={item.name} />}
            {item.about && (
              <span className={styles.about} dir="auto">
                {escapeBidi(item.about)}
              </span>
            )}
          </div>
        ))}
      </div>
    ),
  };
}

/** What is written for somebody who goes by another name. */
function OtherId({ id }: { readonly id: string }) {
  const { name } = usePerson(id);
  return name === id ? null : <span className={styles.about}>@{id}</span>;
}
