/** The URL of the archive as a file (D8). */
export function archivePath(thread: string): string {
  return `/api/threads/${encodeURIComponent(thread)}/archive`;
}

export function archiveName(thread: string): string {
  return `drafts-${thread}.jsonl`;
}
