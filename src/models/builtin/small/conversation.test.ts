import { expect, test } from 'vitest';
import type { ChatMessage } from '../../model.ts';
import { asStory } from './conversation.ts';

const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });

test('[M3] a conversation is written as a story whose next line is the answer', () => {
  expect(asStory({ messages: [user('Hi!'), assistant('Hello.'), user('What is\na "cloud"?')], stop: ['###'] })).toEqual(
    {
      request: {
        prompt: `Tim and Anna were talking.\nTim said, "Hi!"\nAnna said, "Hello."\nTim said, "What is a 'cloud'?"\nAnna said, "`,
        stop: ['"', '###'],
        truncate: 'left',
      },
      unread: '',
    },
  );
});

test('[M3] instructions and older turns are left out, long ones keep their last sentences, and this is reported', () => {
  const long = `${'First comes this and that. '.repeat(20)}Then he asked. What is a cloud?`;
  const { request, unread } = asStory({
    messages: [
      { role: 'system', content: 'Answer in YAML.' },
      user('One'),
      assistant('Two'),
      user('Three'),
      user(long),
    ],
  });
  expect(request.prompt).toMatch(
    /^Tim and Anna were talking\.\nAnna said, "Two"\nTim said, "Three"\nTim said, "First comes/,
  );
  expect(request.prompt).toMatch(/Then he asked\. What is a cloud\?"\nAnna said, "$/);
  expect(unread).toMatch(/^Answer in YAML\.OneFirst comes/);
  expect(unread.length + request.prompt.length).toBeGreaterThan(long.length);
});

test('[M3] a frame continues in its own way, and any odd conversation can be written', () => {
  const frame = [{ write: '- ' }, { maxTokens: 3 }];
  expect(asStory({ messages: [user('Hi')], frame })).toMatchObject({
    request: { prompt: 'Tim and Anna were talking.\nTim said, "Hi"\n', frame },
  });
  expect(asStory({ messages: [] }).request.prompt).toBe('Tim and Anna were talking.\nAnna said, "');
  const system = asStory({ messages: [{ role: 'system', content: 'Tell a story.' }] });
  expect(system.request.prompt).toContain('Tim said, "Tell a story."');
  const odd = asStory({ messages: [user(`a\ud800${'x'.repeat(100_000)}`)] });
  expect(odd.request.prompt.isWellFormed()).toBe(true);
  expect(odd.request.prompt.length).toBeLessThan(500);
});
