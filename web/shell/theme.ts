import { browserStorage, type Theme } from '../data/browser-storage.ts';
import { createStore, deriveStore } from '../data/store.ts';

/** The chosen theme: light, dark, or match the system. */
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

/** Every colour has a light and a dark value; one property of the root element selects between them. */
export function applyTheme(): void {
  document.documentElement.style.colorScheme = theme.get() === 'system' ? '' : theme.get();
}
