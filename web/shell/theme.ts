import { browserStorage, type Theme } from '../data/browser-storage.ts';
import { createStore, deriveStore } from '../data/store.ts';

/** What somebody chose: light or dark for good, or as the system has it. */
export const theme = createStore<Theme>(browserStorage.theme());

const darkQuery = typeof matchMedia === 'undefined' ? undefined : matchMedia('(prefers-color-scheme: dark)');
const systemIsDark = createStore(darkQuery?.matches ?? false);
darkQuery?.addEventListener('change', () => systemIsDark.set(darkQuery.matches));

export const isDark = deriveStore([theme, systemIsDark], () =>
  theme.get() === 'system' ? systemIsDark.get() : theme.get() === 'dark',
);

export function setTheme(next: Theme): void {
  theme.set(next);
  browserStorage.setTheme(next);
  applyTheme();
}

/** Every colour of the page is given for both; which holds is one property of its root. */
export function applyTheme(): void {
  document.documentElement.style.colorScheme = theme.get() === 'system' ? '' : theme.get();
}
