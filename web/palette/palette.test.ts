import { expect, test } from 'vitest';
import { best, matchOf } from './match.ts';
import { sectionsOf } from './options.tsx';
import { readQuery, searchFor, takeFilters } from './query.ts';

const noThread = () => undefined;

test('[I11] filters are read wherever they stand; the rest are words', () => {
  expect(readQuery('kind:draft the heron from:alpha in:"two words" after:2026-11-01')).toEqual({
    words: 'the heron',
    filters: [
      { name: 'kind', value: 'draft' },
      { name: 'from', value: 'alpha' },
      { name: 'in', value: 'two words' },
      { name: 'after', value: '2026-11-01' },
    ],
  });
  expect(readQuery('http://kind:no said:so')).toEqual({ words: 'http://kind:no said:so', filters: [] });
});

test('[I11] a filter becomes one when a space follows it, not while it is typed', () => {
  expect(takeFilters('heron from:al')).toEqual({ words: 'heron from:al', filters: [] });
  expect(takeFilters('heron from:alpha ')).toEqual({ words: 'heron', filters: [{ name: 'from', value: 'alpha' }] });
  expect(takeFilters('from:alpha her')).toEqual({ words: 'her', filters: [{ name: 'from', value: 'alpha' }] });
});

test('[I11] what is asked for: the last word may go on, kinds by their name, a thread by its title', () => {
  expect(searchFor({ words: 'the her', filters: [] }, noThread)).toEqual({ q: 'the her*' });
  expect(searchFor({ words: '"the heron"', filters: [] }, noThread)).toEqual({ q: '"the heron"' });
  expect(searchFor({ words: 'h', filters: [] }, noThread)).toBeUndefined();
  const kinds = [
    { name: 'kind', value: 'Drafts' },
    { name: 'kind', value: 'node' },
  ] as const;
  expect(searchFor({ words: '', filters: kinds }, noThread)).toEqual({ q: '', kind: 'draft,node' });
  expect(searchFor({ words: 'x', filters: [{ name: 'kind', value: 'poem' }] }, noThread)).toMatch(
    /^There is no kind “poem”/,
  );
  const named = { words: 'x', filters: [{ name: 'in', value: 'plan' }] } as const;
  expect(searchFor(named, noThread)).toBe('No thread is called “plan”.');
  expect(searchFor(named, () => 't1')).toEqual({ q: 'x*', thread: 't1' });
});

test('[I11] names are found by the beginnings of their words, better ones first', () => {
  expect(matchOf('Reply to what is marked', 'repl')).toBe(3);
  expect(matchOf('Reply to what is marked', 'mark rep')).toBe(2);
  expect(matchOf('Explain', 'plain')).toBe(1);
  expect(matchOf('Café in Zürich', 'cafe zur')).toBe(2);
  expect(matchOf('Explain', 'heron')).toBe(0);
  const names = ['Unplanned', 'A plan', 'Plan of the garden'];
  expect(best(names, String, 'plan').map(({ item }) => item)).toEqual(['Plan of the garden', 'A plan', 'Unplanned']);
});

test('[I11] one action of many alike is found by what is typed, and not listed before', () => {
  const act = () => {};
  const actions = [
    { name: 'Mute alpha', act, many: true as const },
    { name: 'Write', act },
  ];
  const found = (typed: string) =>
    sectionsOf({ places: [{ where: 'Here', actions }], rows: [], typed }).flatMap(({ options }) =>
      options.map(({ name }) => name),
    );
  expect(found('')).toEqual(['Write']);
  expect(found('mute')).toEqual(['Mute alpha']);
});

test('[I11] of what can be done the place that answers best comes first, wherever one is', () => {
  const act = () => {};
  const places = [
    { where: 'Here', actions: [{ name: 'Prune, or bring it back', act }] },
    { where: 'Everywhere', actions: [{ name: 'Bring it to another thread', act }] },
  ];
  expect(sectionsOf({ places, rows: [], typed: 'bring' }).map(({ label }) => label)).toEqual(['Everywhere', 'Here']);
});
