import { expect, test } from 'vitest';
import { refusalOf, statusByCode } from './errors.ts';

test('[L26] an answer that is too long for a string is 413, with the way to read it in pages', () => {
  let error: unknown;
  try {
    'x'.repeat(2 ** 30);
  } catch (thrown) {
    error = thrown;
  }
  const { code, message } = refusalOf(error)!.refusal;
  expect(statusByCode[code]).toBe(413);
  expect(message).toContain('/events');
});
