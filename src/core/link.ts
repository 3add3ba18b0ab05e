/** A place in the workspace that an address of the page names (C11): a thread, or one thing in it. */
export interface PlaceLink {
  readonly room: string;
  readonly thread: string;
  /**
   * The place in the thread: in threads an event; in a dialogue `TURN`, `TURN.DRAFT`, `iteration.N` or `thought.N`; in
   * an exchange `round.N`, `audit.N`, `thought.N`, `terms`, `terms.N` or `compare.THREAD`; in a loom a node.
   */
  readonly at?: string;
}

/** Conversations are in `threads`; threads of any other kind are in the room that has the kind's name. */
const CONVERSATIONS = 'threads';
/** First parts of addresses that are no kind of thread. */
const OTHER_PATHS = ['api', 'assets', 'docs', 'mcp', 'settings'];
const PATH = /^\/([a-z]{1,32})\/([\w.-]{1,64})(?:\?([^#]*))?(?:#(.*))?$/s;

/** The room that shows threads of this kind. */
export function roomOf(kind: string): string {
  return kind === 'conversation' || OTHER_PATHS.includes(kind) ? CONVERSATIONS : kind;
}

export function linkTo({ id, kind }: { readonly id: string; readonly kind: string }, at?: string): string {
  return formatLink({ room: roomOf(kind), thread: id, ...(at && { at }) });
}

/** A link to something said in a thread of any kind: every thread is a conversation, and one room shows them all. */
export function linkToConversation(thread: string, event?: string): string {
  return formatLink({ room: CONVERSATIONS, thread, ...(event && { at: event }) });
}

export function formatLink({ room, thread, at }: PlaceLink): string {
  return `/${room}/${encodeURIComponent(thread)}${at ? `#${at}` : ''}`;
}

/** Parses a link that somebody copied: a whole address or only its path. A loom's node may also be in `?node=`. */
export function parseLink(text: string): PlaceLink | undefined {
  const path = text.trim().replace(/^https?:\/\/[^/?#]*/i, '');
  const [, room = '', thread = '', query = '', fragment = ''] = PATH.exec(path) ?? [];
  // No name in a workspace contains NUL, and some stores fail on a query with one (L15).
  if (room === '' || OTHER_PATHS.includes(room) || path.includes('\0')) return undefined;
  const [, node = ''] = room === 'loom' ? (/(?:^|&)node=([\w.-]{1,64})/.exec(query) ?? []) : [];
  const at = fragment || node;
  return { room, thread, ...(at && { at }) };
}
