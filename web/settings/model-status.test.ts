import { expect, test } from 'vitest';
import type { WireModel } from '../../src/client/index.ts';
import { statusOf } from './model-status.ts';
import { presetOf, providerName, suggestName } from './presets.ts';

const NOW = Date.parse('2026-11-18T10:00:00Z');
const model = (fields: Partial<WireModel>) =>
  ({ state: { code: 'ready', sentence: '' }, used: { calls: 0 }, ...fields }) as WireModel;

test('[M14] the status of a model says what its last real call said', () => {
  const at = '2026-11-18T09:58:00Z';
  expect(statusOf(model({}), NOW)).toEqual({ tone: 'plain', label: 'Not tried yet' });
  expect(statusOf(model({ last: { at, ms: 340 } }), NOW)).toEqual({
    tone: 'good',
    label: 'Ready',
    call: 'answered 2 min ago in 340 ms',
  });
  const failure = 'example.org refused the key (401).';
  expect(statusOf(model({ last: { at, ms: 90, failure } }), NOW)).toMatchObject({
    tone: 'bad',
    label: 'Key refused',
    problem: failure,
  });
  expect(statusOf(model({ state: { code: 'key_missing', sentence: 'Its key is missing.' } }), NOW)).toEqual({
    tone: 'bad',
    label: 'No key',
    problem: 'Its key is missing.',
  });
});

test('[M1] a model is shown with the service it is from, and any other by its host', () => {
  expect(providerName({ provider: 'anthropic' })).toBe('Anthropic');
  expect(providerName({ provider: 'openai-chat', base_url: 'http://127.0.0.1:11434/v1' })).toBe('Ollama');
  expect(providerName({ provider: 'openai-chat', base_url: 'https://models.example/v1' })).toBe('models.example');
  expect(presetOf({ provider: 'openai-completions', base_url: 'http://127.0.0.1:9/v1' }).id).toBe('base');
});

test('[M1] a model is named after its ID, unless another has that name', () => {
  expect(suggestName('meta-llama/Llama 3:8b', new Set())).toBe('Llama-3-8b');
  expect(suggestName('gpt', new Set(['gpt', 'gpt-2']))).toBe('gpt-3');
  expect(suggestName('日本', new Set())).toBe('model');
});
