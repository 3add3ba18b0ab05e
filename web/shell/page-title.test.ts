import { expect, test } from 'vitest';
import { pageTitle } from './page-title.ts';

const plain = pageTitle('threads', { title: 'Garden' }, 0);

test('[I31] the tab shows the title of the open thread, or of the room', () => {
  expect(plain).toContain('Garden');
  expect(pageTitle('settings', undefined, 0)).not.toBe(pageTitle('home', undefined, 0));
  expect(pageTitle('Looms', undefined, 0)).toBe('Looms · Heddle');
  expect(pageTitle('thread', undefined, 0)).toBe('Heddle');
});

test('[I31] the tab counts the threads with something new', () => {
  expect(pageTitle('threads', { title: 'Garden' }, 3)).toBe(`(3) ${plain}`);
});

test('[I31] the tab says when the open dialogue needs me', () => {
  const titles = ['needs_you', 'publishable', 'thinking'].map((attention) =>
    pageTitle('dialogue', { title: 'Garden', about: { attention } }, 0),
  );
  expect(new Set([plain, ...titles]).size).toBe(3);
  expect(titles[2]).toBe(plain);
});

test('[I31] a title cannot reorder the text of the tab', () => {
  expect(pageTitle('threads', { title: 'a\u202eb' }, 0)).toContain('a[RLO]b');
});
