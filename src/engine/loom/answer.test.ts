import { expect, test } from 'vitest';
import { answerOf, type Gathered } from './answer.ts';

const choice = (text: string, finish: Gathered['finish']): Gathered => ({ text, finish, withheld: false, tokens: [] });

test('[W16] whole texts come before pieces and blanks, so that the person who asked is shown one', () => {
  const heard = [
    choice('', 'stop'),
    choice(' and then', 'failed'),
    choice(' Whole.', 'stop'),
    choice(' Long', 'length'),
  ];
  const facts = { called: undefined, refusal: undefined, dropped: undefined, templated: false };
  const answer = answerOf(
    'm',
    heard.map((each) => ({ ...facts, choices: [each] })),
  );
  expect('choices' in answer && answer.choices.map(({ content }) => content)).toEqual([
    ' Whole.',
    ' Long',
    ' and then',
    '',
  ]);
});
