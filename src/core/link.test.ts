import { expect, test } from 'vitest';
import { formatLink, linkTo, parseLink } from './link.ts';

test('[C11] a link opens a thread in the room of its kind, or one item in it, and can be parsed again', () => {
  const links = [
    { room: 'threads', thread: 'T1' },
    { room: 'threads', thread: 'T1', at: 'E7' },
    { room: 'dialogue', thread: 'T1', at: '2.13' },
    { room: 'exchange', thread: 'T1', at: 'audit.3' },
    { room: 'loom', thread: 'T1', at: 'n-4' },
    { room: 'list', thread: 'T1', at: 'item.2' },
  ] as const;
  for (const link of links) expect(parseLink(formatLink(link))).toEqual(link);
  expect(linkTo({ id: 'T1', kind: 'conversation' }, 'E7')).toBe('/threads/T1#E7');
  expect(linkTo({ id: 'T1', kind: 'exchange' }, 'round.2')).toBe('/exchange/T1#round.2');
  expect(linkTo({ id: 'T1', kind: 'api' }, 'E7')).toBe('/threads/T1#E7');
});

test('[C11] a full URL is accepted too, and so is a loom node after ?node=', () => {
  expect(parseLink(' http://127.0.0.1:4747/dialogue/T1#1.2 ')).toEqual({ room: 'dialogue', thread: 'T1', at: '1.2' });
  expect(parseLink('/loom/T1?node=n9')).toEqual({ room: 'loom', thread: 'T1', at: 'n9' });
  expect(parseLink('/threads/T1?node=n9')).toEqual({ room: 'threads', thread: 'T1' });
});

test('[C11] an address that is not a thread is not a link', () => {
  for (const text of [
    '',
    '/',
    '/settings',
    '/threads/',
    '/api/T1',
    '/docs/T1',
    'T1',
    '/threads/a b',
    'javascript:alert(1)',
  ])
    expect(parseLink(text), text).toBeUndefined();
});
