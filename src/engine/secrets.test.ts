import { expect, test } from 'vitest';
import { createSecrets } from './secrets.ts';

const KEY = 'sk-adv"quoted\\key-123456';
const secrets = createSecrets(() => [KEY]);

test.each([
  ['as it is', KEY],
  ['in JSON', JSON.stringify({ text: `It is ${KEY}.` })],
  ['in JSON within JSON', JSON.stringify({ body: JSON.stringify({ text: KEY }) })],
])('[L17] a key with quotation marks is redacted %s', (_, text) => {
  expect(secrets.check(text)).toMatchObject({ refusal: { code: 'unacceptable_text' } });
  expect(secrets.remove(text)).toContain('[removed]');
  expect(secrets.remove(text)).not.toContain('key-123456');
});
