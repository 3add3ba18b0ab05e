import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Of the frame; rooms may add to them. */
const SHARED = new Set(['act', 'axis', 'draft-text', 'frame', 'room', 'sheet']);

/** Styles of a room stay on the page when it is left: each class that a rule begins with belongs to one room. */
test('[I11] no room changes how another looks', () => {
  const rooms = new Map<string, Set<string>>();
  for (const path of globSync(join(import.meta.dirname, '../web/**/*.css'))) {
    if (path.endsWith('.module.css')) continue; // Its names are its own.
    const [, room = 'first'] = /\/rooms\/(dialogue|exchange|loom|pool)\//.exec(path) ?? [];
    const css = readFileSync(path, 'utf8').replace(/\/\*.*?\*\//gs, '');
    const selectors = [...css.matchAll(/([^{}]+)\{/g)].flatMap(([, list = '']) =>
      list.includes('@') ? [] : list.split(','),
    );
    for (const selector of selectors) {
      const name = /^\s*[a-z]*\.([\w-]+)/.exec(selector)?.[1];
      if (name) rooms.set(name, (rooms.get(name) ?? new Set()).add(room));
    }
  }
  const torn = [...rooms].filter(([name, own]) => own.size > 1 && !SHARED.has(name));
  expect(torn.map(([name, own]) => `${name}: ${[...own].join(', ')}`)).toEqual([]);
});

test('[I11] numbers and times are written without the tables of all languages, which take longer to read than a room to open', () => {
  const sources = globSync(join(import.meta.dirname, '../web/**/*.{ts,tsx}')).filter(
    (path) => !path.includes('.test.'),
  );
  const slow = sources.filter((path) => /toLocale\w*String|Intl\.(DateTime|Number)/.test(readFileSync(path, 'utf8')));
  expect(sources.length).toBeGreaterThan(100);
  expect(slow).toEqual([]);
});
