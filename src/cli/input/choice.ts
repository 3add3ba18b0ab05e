import { usageError } from '../failure.ts';

/** Parses a word that must be one of a few. */
export function parseChoice<Choice extends string>(word: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((each) => each === word);
  if (choice === undefined) throw usageError(`"${word}" is none of ${choices.join(', ')}.`);
  return choice;
}
