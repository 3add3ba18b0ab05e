import { useState } from 'react';
import { useStore } from '../../../data/store.ts';
import { visible } from '../../../ui/text/visible.ts';
import type { Live } from '../live-exchange.ts';
import { pathIn } from '../places.ts';
import type { Branch } from '../queries.ts';

const SHOWN = 6;
const KINDS = { branch: 'branch', rollback: 'back', control: 'control' } as const;

/** The branches of the exchange as a small tree; any two can be put side by side. */
export function Branches({ live, compared }: { readonly live: Live; readonly compared: string | undefined }) {
  // How far this one is is known; the others as they were when the tree was read.
  const own = useStore(live.status)?.round;
  const branches = useStore(live.branches).map((each) =>
    each.thread === live.id && own !== undefined ? { ...each, rounds: own } : each,
  );
  const [all, setAll] = useState(false);
  if (branches.length < 2) return null;
  const ordered = asTree(branches);
  const here = ordered.findIndex(({ branch }) => branch.thread === live.id);
  const from = all ? 0 : Math.max(0, Math.min(here - 2, ordered.length - SHOWN));
  const shown = all ? ordered : ordered.slice(from, from + SHOWN);
  return (
    <nav className="branches" aria-label="Branches">
      <ul>
        {shown.map(({ branch, depth }) => (
          <li key={branch.thread} style={{ paddingInlineStart: `${Math.min(depth, 6) * 16}px` }}>
            {depth > 0 && <span className="twig" aria-hidden="true" />}
            <a
              href={`/exchange/${encodeURIComponent(branch.thread)}`}
              data-in-page
              dir="auto"
              title={visible(branch.title)}
              aria-current={branch.thread === live.id ? 'page' : undefined}
            >
              {visible(branch.title)}
            </a>
            <span className="soft">{factsOf(branch)}</span>
            {branch.thread !== live.id &&
              (branch.thread === compared ? (
                <span className="soft">beside this</span>
              ) : (
                <a
                  className="act"
                  href={pathIn(live.id, `compare.${branch.thread}`)}
                  data-in-page
                  aria-label={`Compare with ${visible(branch.title)}`}
                >
                  Compare
                </a>
              ))}
          </li>
        ))}
      </ul>
      {!all && ordered.length > shown.length && (
        <button type="button" className="act" onClick={() => setAll(true)}>
          All {ordered.length} branches
        </button>
      )}
    </nav>
  );
}

function factsOf({ branch, rounds }: Branch): string {
  const begun = branch && `${KINDS[branch.kind]} at round ${branch.from.round}`;
  const long = rounds !== undefined && `${rounds} ${rounds === 1 ? 'round' : 'rounds'}`;
  return [begun, long].filter(Boolean).join(' · ');
}

/** Each branch under the one it came from, however the list was ordered. */
function asTree(branches: readonly Branch[]): readonly { readonly branch: Branch; readonly depth: number }[] {
  const known = new Set(branches.map(({ thread }) => thread));
  const under = Map.groupBy(branches, ({ forked_from }) =>
    forked_from && known.has(forked_from.thread) ? forked_from.thread : undefined,
  );
  const ordered: { branch: Branch; depth: number }[] = [];
  const walk = (parent: string | undefined, depth: number) => {
    for (const branch of under.get(parent) ?? []) {
      ordered.push({ branch, depth });
      walk(branch.thread, depth + 1);
    }
  };
  walk(undefined, 0);
  return ordered;
}
