import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import type { WireThreadState } from '../../../../src/client/index.ts';
import { Person } from '../../../ui/person.tsx';
import { visible } from '../../../ui/text/visible.ts';
import { mentionAt, type Nameable, nameable, withMention } from './mentions.ts';

interface Mentioning {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly state: WireThreadState | undefined;
  readonly me: string;
  onText(text: string): void;
}

/** Completes an `@` as it is written: arrows choose, Enter or Tab takes, Esc leaves the text as it is. */
export function useMentions({ field, text, state, me, onText }: Mentioning) {
  const list = useId();
  const [caret, setCaret] = useState<number>();
  const [active, setActive] = useState(0);
  /** The mention that was left as it is. */
  const [left, setLeft] = useState<number>();
  const goTo = useRef<number | undefined>(undefined);

  const mention = caret === undefined ? undefined : mentionAt(text, caret);
  const found = mention && mention.start !== left ? nameable(state?.participants ?? [], me, mention.query) : [];
  const at = Math.min(active, found.length - 1);
  const isOpen = found.length > 0;

  useLayoutEffect(() => {
    if (goTo.current === undefined) return;
    field.current?.setSelectionRange(goTo.current, goTo.current);
    goTo.current = undefined;
  });

  function take({ name }: Nameable): void {
    if (!mention || caret === undefined) return;
    const next = withMention(text, { start: mention.start, end: caret, name });
    goTo.current = next.caret;
    setCaret(next.caret);
    setActive(0);
    onText(next.text);
  }

  /** Whether the key was meant for the list. */
  function pressed(event: KeyboardEvent): boolean {
    if (!isOpen || event.nativeEvent.isComposing || event.shiftKey) return false;
    const chosen = found[at];
    if (event.key === 'ArrowDown') setActive((at + 1) % found.length);
    else if (event.key === 'ArrowUp') setActive((at + found.length - 1) % found.length);
    else if (event.key === 'Escape') setLeft(mention?.start);
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen) take(chosen);
    else return false;
    event.preventDefault();
    return true;
  }

  function moved(): void {
    const now = field.current?.selectionStart;
    if (now !== caret) setActive(0);
    setCaret(now);
    if (!mention) setLeft(undefined);
  }

  const option = (index: number) => `${list}-${index}`;
  return {
    pressed,
    moved,
    blurred: () => setCaret(undefined),
    /** What tells a reader of the screen that there is a list, and where in it one is. */
    aria: isOpen
      ? ({
          role: 'combobox',
          'aria-autocomplete': 'list',
          'aria-expanded': true,
          'aria-controls': list,
          'aria-activedescendant': option(at),
        } as const)
      : ({ 'aria-autocomplete': 'list' } as const),
    view: isOpen && (
      <div className="mentions" role="listbox" id={list} aria-label="Whom to mention">
        {found.map((one, index) => (
          <div
            key={one.name}
            id={option(index)}
            role="option"
            aria-selected={index === at}
            tabIndex={-1}
            // The field keeps the focus.
            onMouseDown={(event) => {
              event.preventDefault();
              take(one);
            }}
          >
            {one.name === 'all' ? <b>all</b> : <Person id={one.name} />}
            {one.about && (
              <span className="soft" dir="auto">
                {visible(one.about)}
              </span>
            )}
          </div>
        ))}
      </div>
    ),
  };
}
