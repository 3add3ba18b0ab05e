import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import { type TextKind, textKinds } from '../../core/search/kinds.ts';
import type { RouteQuery } from '../../protocol/routes.ts';
import type { RouteHandlers } from '../http/edge.ts';
import type { RouteContext } from './context.ts';

export function searchHandlers({ engine }: RouteContext) {
  return {
    async 'GET /api/search'({ query }) {
      const { q, from, thread, tag, archived, limit, cursor } = query;
      const kinds = parseKinds(query);
      if (isRefusal(kinds)) return kinds;
      const after = parseTime('after', query.after);
      if (isRefusal(after)) return after;
      const before = parseTime('before', query.before);
      if (isRefusal(before)) return before;
      const page = await engine.search({
        ...{ q, kinds, limit },
        ...(from !== undefined && { from }),
        ...(after !== undefined && { after }),
        ...(before !== undefined && { before }),
        ...(thread !== undefined && { thread }),
        ...(tag !== undefined && { tag }),
        ...(archived !== undefined && { archived: true }),
        ...(cursor !== undefined && { cursor }),
      });
      return isRefusal(page) ? page : JSON.stringify(page);
    },
  } satisfies Partial<RouteHandlers>;
}

function parseKinds({ kind = '' }: RouteQuery<'GET /api/search'>): readonly TextKind[] | Refusal {
  const names = kind.split(',').filter(Boolean);
  const unknownKind = names.find((name) => !textKinds.includes(name as TextKind));
  if (unknownKind === undefined) return names as TextKind[];
  return refuse('malformed', `There is no kind "${unknownKind.slice(0, 40)}". The kinds are ${textKinds.join(', ')}.`);
}

function parseTime(name: string, text: string | undefined): number | undefined | Refusal {
  if (text === undefined || text === '') return undefined;
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  return refuse(
    'malformed',
    `"${name}" is "${text}", which is not a date. Write it as 2026-11-01 or 2026-11-01T09:30:00Z.`,
  );
}
