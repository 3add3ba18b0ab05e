import { spawn } from 'node:child_process';

/** Opens an address in the user's browser; false if there is no browser. */
export function openBrowser(url: string): Promise<boolean> {
  const [program, ...args] = openerCommand(url);
  if (!program) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true });
    child.on('error', () => resolve(false));
    child.on('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

export function canOpenBrowser(): boolean {
  return openerCommand('').length > 0;
}

function openerCommand(url: string): readonly string[] {
  if (process.platform === 'darwin') return ['open', url];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url];
  const { DISPLAY, WAYLAND_DISPLAY, BROWSER } = process.env;
  return DISPLAY || WAYLAND_DISPLAY || BROWSER ? ['xdg-open', url] : [];
}
