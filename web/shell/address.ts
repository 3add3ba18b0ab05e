import { linkTo, linkToConversation, parseLink } from '../../src/core/link.ts';
import { createStore, useStore } from '../data/store.ts';
import { kindAtList } from '../ui/kinds.ts';

/** The parsed address of the page (C11). */
export type Address =
  | { readonly room: 'home' | 'nowhere' }
  /** The list of threads of one kind, or of all. */
  | { readonly room: 'list'; readonly kind: string | undefined }
  /** `at` is a section. */
  | { readonly room: 'settings'; readonly at: string | undefined }
  | ThreadAddress;

export interface ThreadAddress {
  readonly room: 'thread';
  /** The room as the address has it: `threads` for the conversation that every thread is, or the kind of thread. */
  readonly as: string;
  readonly id: string;
  /** A place in the thread: in `threads` an event, else what the kind of thread has (core/link.ts). */
  readonly at: string | undefined;
}

const currentPath = createStore(locationPath());
/** The number of navigations so far: following a link to the current place navigates again. */
export const visitCount = createStore(0);

export function useAddress(): Address {
  return addressOf(useStore(currentPath));
}

export function addressOf(path: string): Address {
  const [route, fragment] = path.split('#', 2);
  if (route === '/') return { room: 'home' };
  if (route === '/settings') return { room: 'settings', at: fragment };
  if (route === '/all') return { room: 'list', kind: undefined };
  const kind = kindAtList(route ?? '');
  if (kind) return { room: 'list', kind };
  const link = parseLink(path);
  if (!link) return { room: 'nowhere' };
  return { room: 'thread', as: link.room, id: link.thread, at: link.at };
}

export { linkTo as threadPath, linkToConversation as conversationPath };

export function navigate(to: string): void {
  if (to !== locationPath()) history.pushState(null, '', to);
  currentPath.set(to);
  visitCount.set((count) => count + 1);
}

/** Handles Back, Forward and plain clicks on links within the page without reloading it. */
export function followLinks(): void {
  addEventListener('popstate', () => currentPath.set(locationPath()));
  addEventListener('click', (event) => {
    const link = (event.target as Element | null)?.closest?.('a');
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.target || link.origin !== location.origin || !link.hasAttribute('data-in-page')) return;
    event.preventDefault();
    navigate(link.pathname + link.search + link.hash);
  });
}

function locationPath(): string {
  return typeof location === 'undefined' ? '/' : location.pathname + location.search + location.hash;
}
