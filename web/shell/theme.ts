import { kept, type Theme } from '../data/browser-storage.ts';
import { createStore, derived } from '../data/store.ts';

/** What somebody chose: light or dark for good, or as the system has it. */
export const theme = createStore<Theme>(kept.theme());

const dark = typeof matchMedia === 'undefined' ? undefined : matchMedia('(prefers-color-scheme: dark)');
const system = createStore(dark?.matches ?? false);
dark?.addEventListener('change', () => system.set(dark.matches));

export const isDark = derived([theme, system], () =>
  theme.get() === 'system' ? system.get() : theme.get() === 'dark',
);

export function setTheme(next: Theme): void {
  theme.set(next);
  kept.keepTheme(next);
  showTheme();
}

/** Every colour of the page is given for both; which holds is one property of its root. */
export function showTheme(): void {
  document.documentElement.style.colorScheme = theme.get() === 'system' ? '' : theme.get();
}
