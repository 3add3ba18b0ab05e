import { expect, test } from 'vitest';
import { addressOf, conversationPath } from './address.ts';

test.each([
  ['/', { room: 'home' }],
  ['/settings', { room: 'settings', at: undefined }],
  ['/settings#models', { room: 'settings', at: 'models' }],
  ['/threads/t1', { room: 'thread', as: 'threads', id: 't1', at: undefined }],
  ['/threads/t1#e9', { room: 'thread', as: 'threads', id: 't1', at: 'e9' }],
  ['/dialogue/d1#2.4', { room: 'thread', as: 'dialogue', id: 'd1', at: '2.4' }],
  ['/exchange/x1#audit.3', { room: 'thread', as: 'exchange', id: 'x1', at: 'audit.3' }],
  ['/loom/l1?node=n7', { room: 'thread', as: 'loom', id: 'l1', at: 'n7' }],
  ['/list/l1#item.2', { room: 'thread', as: 'list', id: 'l1', at: 'item.2' }],
  ['/elsewhere', { room: 'nowhere' }],
  ['/threads/%E0%A4%A', { room: 'nowhere' }],
  ['/all', { room: 'list', kind: undefined }],
  ['/threads', { room: 'list', kind: 'conversation' }],
  ['/dialogues', { room: 'list', kind: 'dialogue' }],
  ['/lists', { room: 'list', kind: 'list' }],
  ['/s', { room: 'nowhere' }],
  ['/threads/t1/extra', { room: 'nowhere' }],
  ['/loom/', { room: 'nowhere' }],
] as const)('[C11] the address %s opens the right room and place', (path, address) => {
  expect(addressOf(path)).toEqual(address);
});

test('[C11] the link to a message opens that message', () => {
  expect(addressOf(conversationPath('t1', 'e9'))).toEqual({ room: 'thread', as: 'threads', id: 't1', at: 'e9' });
});
