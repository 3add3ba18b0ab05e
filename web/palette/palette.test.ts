import { expect, test } from 'vitest';
import type { ThreadRow } from '../../src/client/index.ts';
import { markMatches } from './highlight.tsx';
import { matchScore, rankMatches } from './match.ts';
import { buildSections } from './options.tsx';
import { buildSearchRequest, extractFilters, parseQuery } from './query.ts';

const noThread = () => undefined;

test('[I32] filters are read wherever they stand; the rest are words', () => {
  expect(parseQuery('kind:draft the heron from:alpha in:"two words" after:2026-11-01')).toEqual({
    words: 'the heron',
    filters: [
      { name: 'kind', value: 'draft' },
      { name: 'from', value: 'alpha' },
      { name: 'in', value: 'two words' },
      { name: 'after', value: '2026-11-01' },
    ],
  });
  expect(parseQuery('http://kind:no said:so')).toEqual({ words: 'http://kind:no said:so', filters: [] });
});

test('[I32] a filter becomes one when a space follows it, not while it is typed', () => {
  expect(extractFilters('heron from:al')).toEqual({ words: 'heron from:al', filters: [] });
  expect(extractFilters('heron from:alpha ')).toEqual({ words: 'heron', filters: [{ name: 'from', value: 'alpha' }] });
  expect(extractFilters('from:alpha her')).toEqual({ words: 'her', filters: [{ name: 'from', value: 'alpha' }] });
});

test('[I32] what is asked for: the last word may go on, kinds by their name, a thread by its title', () => {
  expect(buildSearchRequest({ words: 'the her', filters: [] }, noThread)).toEqual({ q: 'the her*' });
  expect(buildSearchRequest({ words: '"the heron"', filters: [] }, noThread)).toEqual({ q: '"the heron"' });
  expect(buildSearchRequest({ words: 'h', filters: [] }, noThread)).toBeUndefined();
  const kinds = [
    { name: 'kind', value: 'Drafts' },
    { name: 'kind', value: 'node' },
  ] as const;
  expect(buildSearchRequest({ words: '', filters: kinds }, noThread)).toEqual({ q: '', kind: 'draft,node' });
  expect(buildSearchRequest({ words: 'x', filters: [{ name: 'kind', value: 'poem' }] }, noThread)).toMatch(
    /^There is no kind “poem”/,
  );
  const named = { words: 'x', filters: [{ name: 'in', value: 'plan' }] } as const;
  expect(buildSearchRequest(named, noThread)).toBe('There is no thread “plan”.');
  expect(buildSearchRequest(named, () => 't1')).toEqual({ q: 'x*', thread: 't1' });
});

test('[I32] names are found by the beginnings of their words, better ones first', () => {
  expect(matchScore('Reply to the selected message', 'repl')).toBe(3);
  expect(matchScore('Reply to the selected message', 'sel rep')).toBe(2);
  expect(matchScore('Explain', 'plain')).toBe(1);
  expect(matchScore('Café in Zürich', 'cafe zur')).toBe(2);
  expect(matchScore('Explain', 'heron')).toBe(0);
  const names = ['Unplanned', 'A plan', 'Plan of the garden'];
  expect(rankMatches(names, String, 'plan').map(({ item }) => item)).toEqual([
    'Plan of the garden',
    'A plan',
    'Unplanned',
  ]);
});

test('[I32] one action of many alike is found by what is typed, and not listed before', () => {
  const act = () => {};
  const actions = [
    { name: 'Mute alpha', act, many: true as const },
    { name: 'Write', act },
  ];
  const matches = (query: string) =>
    buildSections({ groups: [{ label: 'Here', actions }], rows: [], query }).flatMap(({ options }) =>
      options.map(({ name }) => name),
    );
  expect(matches('')).toEqual(['Write']);
  expect(matches('mute')).toEqual(['Mute alpha']);
});

test('[I32] of what can be done the place that answers best comes first, wherever one is', () => {
  const act = () => {};
  const groups = [
    { label: 'Here', actions: [{ name: 'Prune, or send it back', act }] },
    { label: 'Everywhere', actions: [{ name: 'Send it to another thread', act }] },
  ];
  expect(buildSections({ groups, rows: [], query: 'send' }).map(({ label }) => label)).toEqual(['Everywhere', 'Here']);
});

test('[I32] the words that I typed are marked in a name, at the beginning of a word if they are there', () => {
  const marked = (text: string, query: string) =>
    markMatches(text, query)
      .map(({ part, isMatch }) => (isMatch ? `[${part}]` : part))
      .join('');
  expect(marked('Watering rota 2025', 'rota')).toBe('Watering [rota] 2025');
  expect(marked('Plan, unplanned', 'plan')).toBe('[Plan], unplanned');
  expect(marked('Explain', 'plain')).toBe('Ex[plain]');
  expect(marked('Watering rota', '')).toBe('Watering rota');
  expect(marked('Two roses', 'ros tw')).toBe('[Tw]o [ros]es');
});

test('[I32] after ">" the palette lists commands and no threads', () => {
  const groups = [{ label: 'Here', actions: [{ name: 'Write', act: () => {} }] }];
  const row = { id: 't', title: 'Writing', kind: 'conversation', last: { ts: '2026-11-01T00:00:00Z' } } as ThreadRow;
  const labels = (isCommandsOnly: boolean) =>
    buildSections({ groups, rows: [row], query: 'wri', isCommandsOnly }).map(({ label }) => label);
  expect(labels(false)).toEqual(['Threads', 'Here']);
  expect(labels(true)).toEqual(['Here']);
});
