import { expect, test } from 'vitest';
import { DEFAULT_TERMS } from '../../../../src/core/exchange/terms/defaults.ts';
import { formatTerm, formatTermNames, SETTING_FIELDS, TERM_LABELS, TEXT_FIELDS } from './labels.ts';

test('[X3] every term of an exchange has a label and a readable value', () => {
  expect([...SETTING_FIELDS, ...TEXT_FIELDS].sort()).toEqual(Object.keys(DEFAULT_TERMS).sort());
  for (const name of SETTING_FIELDS) {
    expect(formatTerm(DEFAULT_TERMS, name), name).toMatch(/\S/);
    expect(formatTerm(DEFAULT_TERMS, name), name).not.toMatch(/undefined|null|\[object|NaN/);
  }
});

test('[X3] minds are listed with their models, and limits with their units', () => {
  const minds = [
    { id: 'mind_0', model: null },
    { id: 'mind_1', model: 'wise' },
  ];
  expect(formatTerm({ ...DEFAULT_TERMS, minds }, 'minds')).toBe('mind_0, mind_1 (wise)');
  expect(formatTerm({ ...DEFAULT_TERMS, budget: { rounds: 5, tokens: 1200 } }, 'budget')).toMatch(
    /5 rounds, 1.200 tokens/,
  );
});

test('[X3] a change is named by the labels of its terms', () => {
  expect(formatTermNames(['minds', 'temperature', 'unheard_of'])).toBe(
    `${TERM_LABELS.minds}, ${TERM_LABELS.temperature}, unheard_of`,
  );
});
