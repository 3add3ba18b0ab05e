import { expect, test } from 'vitest';
import type { WireModel } from '../../src/client/index.ts';
import { changedFields, LABELS, readModelFields, readUses, withFieldLabels } from './model-fields.ts';

function formOf(fields: Readonly<Record<string, string>>, uses: readonly string[] = []): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const use of uses) form.append('for', use);
  return form;
}

test('[M1] a model form sends only the fields that I filled in', () => {
  expect(readModelFields(formOf({ provider: 'anthropic', base_url: '  ', model: ' m1 ', context: '' }))).toEqual({
    provider: 'anthropic',
    model: 'm1',
  });
});

test('[M1] I can group the digits of a number, and the server reports one that is none', () => {
  const form = formOf({
    provider: 'openai-chat',
    context: '128 000',
    'price.input': '1_000.5',
    'price.output': 'free',
  });
  expect(readModelFields(form)).toEqual({
    provider: 'openai-chat',
    context: 128_000,
    price: { input: 1000.5, output: 'free' },
  });
});

test('[M1] I can use a model for any of the known purposes', () => {
  expect(readUses(formOf({}, ['loom', 'mind', 'dancing']))).toEqual(['mind', 'loom']);
});

test('[M1] saving a model only sends what I changed, and null for a field that I emptied', () => {
  const existing = {
    ...{ provider: 'openai-chat', base_url: 'http://127.0.0.1:8080/v1', model: 'm1', api_key_env: 'KEY' },
    ...{ price: { input: 1, output: 2 }, capabilities: { context: 8192 } },
  } as unknown as WireModel;
  const same = {
    ...{ provider: 'openai-chat', base_url: 'http://127.0.0.1:8080/v1', model: 'm1', api_key_env: 'KEY' },
    ...{ 'price.input': '1', 'price.output': '2', context: '8192' },
  };
  expect(changedFields(formOf(same), existing)).toEqual({});
  expect(changedFields(formOf({ ...same, model: 'm2', api_key_env: '', 'price.output': '' }), existing)).toEqual({
    model: 'm2',
    api_key_env: null,
    price: { input: 1 },
  });
});

test('[M1] an error names a field by its label on the page', () => {
  expect(withFieldLabels('"base_url" must be an address; "price.input" too.')).toBe(
    `“${LABELS.base_url}” must be an address; “${LABELS['price.input']}” too.`,
  );
});
