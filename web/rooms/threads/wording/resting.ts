import type { WireThreadState } from '../../../../src/protocol/threads.ts';
import { answersEveryone, isAgent, isAuditor } from '../panel/control-actions.ts';
import { personList } from './delivery.ts';
import type { Sentence } from './sentences.ts';

interface RestingLine {
  readonly sentence: Sentence;
  /** Those who would answer. */
  readonly answering: readonly string[];
}

/** Who will answer, before anything is written. */
export function restingLine(state: WireThreadState, me: string): RestingLine {
  const others = state.participants.filter(({ id, invited }) => invited && id !== me);
  if (others.length === 0) return nobody('Nobody will answer yet: you are alone in this thread.');
  const agents = state.participants.filter(isAgent);
  if (agents.length === 0) return nobody('No agent is here to answer; the people you invited will see it.');
  const muted = agents.filter((each) => each.muted === 'hard').map(({ id }) => id);
  const able = agents.filter((each) => each.muted !== 'hard');
  const isAnswering = (each: (typeof agents)[number]) => answersEveryone(state) && !isAuditor(each);
  const answering = able.filter(isAnswering).map(({ id }) => id);
  const waiting = able.filter((each) => !isAnswering(each)).map(({ id }) => id);
  const clauses: Sentence[] = [
    say(answering, ' will answer.'),
    say(waiting, waiting.length > 1 ? ' answer when you mention them.' : ' answers when you mention it.'),
    say(muted, muted.length > 1 ? ' will not answer: they are muted.' : ' will not answer: it is muted.'),
  ].filter((clause) => clause.length > 0);
  return { sentence: clauses.flatMap((clause, index) => (index === 0 ? clause : [' ', ...clause])), answering };
}

function nobody(text: string): RestingLine {
  return { sentence: [text], answering: [] };
}

function say(ids: readonly string[], text: string): Sentence {
  return ids.length === 0 ? [] : [...personList(ids), text];
}
