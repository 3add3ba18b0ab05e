import { expect, test } from 'vitest';
import type { TermValues } from '../../../../src/client/index.ts';
import { DEFAULT_TERMS } from '../../../../src/core/exchange/terms/defaults.ts';
import { readTermsForm } from './draft.ts';

const before = { ...DEFAULT_TERMS, question: 'Why?\nHow?', budget: { tokens: 500 } } as TermValues;

/** A form as the page has it before anybody touched it, with line ends as browsers send them. */
function formOf(terms: TermValues, changes: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData();
  for (const name of ['question', 'auditor_spec', 'mind_prompt', 'observer_role'] as const)
    form.set(name, terms[name].replaceAll('\n', '\r\n'));
  for (const { id, model } of terms.minds) {
    form.append('mind.id', id);
    form.append('mind.model', model ?? '');
  }
  for (const name of ['audit_every', 'active_pool_size', 'thought_display_count', 'thought_display_chars'] as const)
    form.set(name, String(terms[name]));
  for (const name of ['policy', 'ask_after_audit'] as const) form.set(name, terms[name]);
  for (const [name, value] of Object.entries(terms.restart)) form.set(`restart.${name}`, String(value));
  for (const [name, value] of Object.entries(terms.budget)) form.set(`budget.${name}`, String(value));
  form.set('auditor_model', terms.auditor_model ?? '');
  form.set('temperature', '');
  for (const [name, value] of Object.entries(changes)) form.set(name, value);
  return form;
}

test('[X3] a form nobody touched changes nothing, whatever line ends a browser sends', () => {
  expect(readTermsForm(formOf(before), before)).toEqual({ set: {} });
});

test('[X3] only what is different is sent', () => {
  const form = formOf(before, { audit_every: '7', 'restart.share': '0.5', 'budget.tokens': '', cluster_feed: 'on' });
  expect(readTermsForm(form, before)).toEqual({
    set: { audit_every: 7, restart: { ...before.restart, share: 0.5 }, budget: {}, cluster_feed: true },
  });
});

test('[X3] a mind is added by its name, and left out when its name is emptied', () => {
  const form = formOf({
    ...before,
    minds: [
      { id: 'a', model: null },
      { id: 'b', model: 'm' },
    ],
  });
  form.append('mind.id', '');
  form.append('mind.model', '');
  expect(readTermsForm(form, before)).toEqual({
    set: {
      minds: [
        { id: 'a', model: null },
        { id: 'b', model: 'm' },
      ],
    },
  });
});

test('[X3] what is no number is told by the name of its field', () => {
  expect(readTermsForm(formOf(before, { 'budget.money': 'much' }), before)).toEqual({
    problem: '“much” is not a number. Enter one for “Money”.',
  });
});
