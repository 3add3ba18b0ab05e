import { expect, test } from 'vitest';
import type { WireEvent } from '../../../../src/protocol/wire.ts';
import { eventSentence, type Sentence, sentenceText } from './sentences.ts';

const event = (type: string, content: unknown, from = 'ana') =>
  ({ id: 'e1', ts: '', thread: 't1', seq: 1, type, from, to: 'all', content, meta: {}, v: 1, hash: '' }) as WireEvent;
const control = (content: object, from?: string) => eventSentence(event('control', content, from));
const text = (sentence: Sentence | undefined) => sentenceText(sentence ?? []);

test('[I12] a sentence in the timeline links the people and threads that it names', () => {
  expect(control({ prod: ['muse', 'scout', 'wise'] })).toEqual([
    { person: 'ana' },
    expect.any(String),
    { person: 'muse' },
    ', ',
    { person: 'scout' },
    ' and ',
    { person: 'wise' },
    ' to reply',
  ]);
  expect(eventSentence(event('thread.forked', { thread: 't2', title: 'Peas' }))).toContainEqual({
    thread: 't2',
    title: 'Peas',
  });
});

test('[I12] I can tell a soft mute from a mute, leaving from being uninvited, and why an agent did not reply', () => {
  const mute = (mode: 'soft' | 'hard') => text(control({ mute: { targets: ['muse'], mode } }));
  expect(mute('soft')).not.toBe(mute('hard'));
  const uninvite = (from: string) => text(control({ uninvite: { participant_id: 'muse' } }, from));
  expect(uninvite('ana')).toMatch(/^ana .*muse$/);
  expect(uninvite('muse')).not.toContain(' muse');
  const closed = (outcome: string, reason: string, from = 'muse') =>
    text(eventSentence(event('wake.closed', { participant: 'muse', event: 'e0', outcome, reason }, from)));
  expect(closed('failed', 'The key is missing.')).toMatch(/^muse .*The key is missing\.$/);
  expect(closed('stopped', 'it is muted', 'system')).toMatch(/^muse .*it is muted$/);
});

test('[I12] a rename is reported once, by its own event', () => {
  expect(control({ rename: 'Peas' })).toBeUndefined();
  expect(text(eventSentence(event('thread.renamed', { title: 'Peas' })))).toContain('Peas');
});

test('[L3] [L25] an event that this page does not know or cannot read is still shown, with its type and author', () => {
  expect(text(eventSentence(event('garden.watered', {}, 'wise')))).toBe('wise · garden watered');
  expect(text(eventSentence(event('control', null, 'wise')))).toMatch(/control.*wise$/);
});

test('[T12] a notice is the workspace’s own, in its own words', () => {
  expect(eventSentence(event('notice.posted', { text: 'The thread is done.' }, 'system'))).toEqual([
    'The thread is done.',
  ]);
});
