import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import { type TextKind, textKinds } from '../../core/search/kinds.ts';
import type { Query } from '../../protocol/routes.ts';
import type { searchRoutes } from '../../protocol/search.ts';
import type { Handlers } from '../http/edge.ts';
import type { Parts } from './context.ts';

export function searchHandlers({ engine }: Parts): Pick<Handlers, keyof typeof searchRoutes> {
  return {
    async 'GET /api/search'({ query }) {
      const { q, from, thread, limit, cursor } = query;
      const kinds = kindsOf(query);
      if (isRefusal(kinds)) return kinds;
      const after = timeOf('after', query.after);
      if (isRefusal(after)) return after;
      const before = timeOf('before', query.before);
      if (isRefusal(before)) return before;
      const answer = await engine.search({
        ...{ q, kinds, limit },
        ...(from !== undefined && { from }),
        ...(after !== undefined && { after }),
        ...(before !== undefined && { before }),
        ...(thread !== undefined && { thread }),
        ...(cursor !== undefined && { cursor }),
      });
      return isRefusal(answer) ? answer : JSON.stringify(answer);
    },
  };
}

function kindsOf({ kind = '' }: Query<'GET /api/search'>): readonly TextKind[] | Refusal {
  const given = kind.split(',').filter(Boolean);
  const unknown = given.find((name) => !textKinds.includes(name as TextKind));
  if (unknown === undefined) return given as TextKind[];
  return refuse('malformed', `There is no kind "${unknown.slice(0, 40)}". There are ${textKinds.join(', ')}.`);
}

function timeOf(name: string, text: string | undefined): number | undefined | Refusal {
  if (text === undefined || text === '') return undefined;
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  return refuse(
    'malformed',
    `"${name}" is "${text}", which is no date. Write it as 2026-11-01 or 2026-11-01T09:30:00Z.`,
  );
}
