import { type ReactNode, useMemo } from 'react';
import { useStore } from '../../../data/store.ts';
import { useHue } from '../../../ui/people/people.ts';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { firstLine } from '../../../ui/text/first-line.ts';
import type { LiveExchange } from '../live-exchange.ts';
import { exchangePath } from '../places.ts';
import styles from './citation.module.css';

interface CitedThought {
  readonly id: number;
  readonly author?: string | undefined;
  readonly text?: string | undefined;
}

/** A thought's number in the hue of the mind that thought it; it leads to the thought. */
function Citation({ thread, thought }: { readonly thread: string; readonly thought: CitedThought }) {
  const { id, author, text } = thought;
  const hue = useHue(author ?? '');
  return (
    <a
      className={styles.chip}
      data-hue={author === undefined ? undefined : hue}
      href={exchangePath(thread, `thought.${id}`)}
      data-in-page
      title={text === undefined ? undefined : firstLine(text, 200)}
    >
      #{id}
    </a>
  );
}

function FalseCitation({ text }: { readonly text: string }) {
  return (
    <s className={styles.false} title="There is no such thought">
      {text}
    </s>
  );
}

/** Thought numbers, each a link to the thought. */
export function ThoughtLinks({ exchange, ids }: { readonly exchange: LiveExchange; readonly ids: readonly number[] }) {
  const known = useKnownThoughts(exchange);
  return ids.map((id) => <Citation key={id} thread={exchange.id} thought={known.get(id) ?? { id }} />);
}

/** The loaded thoughts by number. */
export function useKnownThoughts(exchange: LiveExchange): ReadonlyMap<number, CitedThought> {
  const { rounds } = useStore(exchange.timeline);
  return useMemo(() => new Map(rounds.flatMap(({ thoughts }) => thoughts.map((each) => [each.id, each]))), [rounds]);
}

const BRACKETED = /\[(#\d{1,12}(?:[,;] ?#\d{1,12})*)\]/g;

/**
 * Shows the citations in a text as chips, without their brackets. `isTold`: whether it is known which thoughts are
 * there; while an audit is written it is not.
 */
export function renderCitations(
  text: string,
  thread: string,
  known: ReadonlyMap<number, CitedThought>,
  isTold: boolean,
): ReactNode {
  const bare = text.replace(BRACKETED, (_, numbers: string) => (numbers.match(/#\d+/g) ?? []).join(' '));
  return bare.split(/(#\d{1,12}(?!\d))/).map((part, i) => {
    if (i % 2 === 0) return escapeBidi(part);
    const id = Number(part.slice(1));
    const thought = known.get(id);
    // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
    if (!thought && isTold) return <FalseCitation key={i} text={part} />;
    // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
    return <Citation key={i} thread={thread} thought={thought ?? { id }} />;
  });
}
