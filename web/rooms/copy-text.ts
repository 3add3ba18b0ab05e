import { showToast } from '../ui/floating/toast.tsx';
import { runWithNotice } from '../ui/notice.tsx';

/** Copies a text as it was written, and says so. */
export function copyText(text: string): void {
  void copy(text, 'Copied');
}

/** Copies the full address of a text, which leads to the very place (C11). */
export function copyLink(link: string): void {
  void copy(new URL(link, location.href).href, 'Link copied');
}

function copy(text: string, message: string): Promise<void> {
  return runWithNotice(async () => {
    await navigator.clipboard.writeText(text);
    showToast({ message });
  });
}
