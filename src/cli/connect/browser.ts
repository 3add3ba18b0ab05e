import { spawn } from 'node:child_process';

/** Opens an address in the person's browser; false where there is none to open. */
export function openBrowser(url: string): Promise<boolean> {
  const [program, ...words] = opener(url);
  if (!program) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(program, words, { stdio: 'ignore', detached: true });
    child.on('error', () => resolve(false));
    child.on('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

export function canOpenBrowser(): boolean {
  return opener('').length > 0;
}

function opener(url: string): readonly string[] {
  if (process.platform === 'darwin') return ['open', url];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url];
  const { DISPLAY, WAYLAND_DISPLAY, BROWSER } = process.env;
  return DISPLAY || WAYLAND_DISPLAY || BROWSER ? ['xdg-open', url] : [];
}
