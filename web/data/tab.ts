const SESSION_KEY = 'heddle.tab';
/** A reload lets go of its lock within this time; a tab that was duplicated never does. */
const RELOAD_MS = 500;

let id = '';

/** Identifies this tab across reloads. Empty where the browser has no locks or no storage: then all tabs are one. */
export const tabId = () => id;

/** Takes the id that this tab had, unless it is a copy of a tab that has it still. */
export async function claimTab(): Promise<void> {
  if (!navigator.locks) return;
  const lastId = sessionStorage.getItem(SESSION_KEY);
  if (lastId !== null && (await holdLock(lastId))) id = lastId;
  else {
    const newId = Math.random().toString(36).slice(2);
    sessionStorage.setItem(SESSION_KEY, newId);
    await holdLock(newId);
    id = newId;
  }
}

/** Runs `work` if that tab is gone; it cannot come back meanwhile. */
export async function ifTabIsGone(tab: string, work: () => void): Promise<void> {
  await navigator.locks.request(SESSION_KEY + tab, { ifAvailable: true }, (lock) => lock && work());
}

/** Holds the lock until the page ends. Returns false if another tab does. */
function holdLock(tab: string): Promise<boolean> {
  return new Promise((resolve) => {
    const hold = () => new Promise<never>(() => resolve(true));
    const signal = AbortSignal.timeout(RELOAD_MS);
    navigator.locks.request(SESSION_KEY + tab, { signal }, hold).catch(() => resolve(false));
  });
}
