import { expect, test } from 'vitest';
import { exchangePath, parsePlace } from './places.ts';

test.each([
  ['round.4', { kind: 'round', number: 4 }],
  ['audit.1', { kind: 'audit', number: 1 }],
  ['thought.12', { kind: 'thought', number: 12 }],
  ['terms', { kind: 'terms', version: undefined }],
  ['terms.2', { kind: 'terms', version: 2 }],
  ['compare.01KX-b.c', { kind: 'compare', other: '01KX-b.c' }],
] as const)('[C11] #%s opens that place of an exchange', (fragment, place) => {
  expect(parsePlace(fragment)).toEqual(place);
  expect(new URL(exchangePath('x1', fragment), 'http://localhost').hash).toBe(`#${fragment}`);
});

test.each([undefined, '', 'round', 'round.0', 'round.1.5', 'audit.x', 'compare', 'draft.1', 'round.1 2'])(
  '[C11] #%s is no place of an exchange',
  (fragment) => {
    expect(parsePlace(fragment)).toBeUndefined();
  },
);
