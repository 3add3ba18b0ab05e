import { Columns2, CornerDownRight } from 'lucide-react';
import { useState } from 'react';
import type { BranchItem } from '../../../../src/client/index.ts';
import { pluralize } from '../../../../src/core/text/pluralize.ts';
import { useStore } from '../../../data/store.ts';
import { Button, LinkButton } from '../../../ui/controls/button.tsx';
import { Glyph } from '../../../ui/icon.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import type { LiveExchange } from '../live-exchange.ts';
import { exchangePath } from '../places.ts';
import styles from './branches.module.css';

const MAX_SHOWN = 6;
const KIND_LABELS = { branch: 'branch', rollback: 'rolled back', control: 'control branch' } as const;

/** The branches of the exchange as a small tree; any two can be compared. */
export function Branches({ exchange }: { readonly exchange: LiveExchange }) {
  // This branch's round count is live; the others are as of the last load of the tree.
  const ownRounds = useStore(exchange.status)?.round;
  const branches = useStore(exchange.branches).map((each) =>
    each.thread === exchange.id && ownRounds !== undefined ? { ...each, rounds: ownRounds } : each,
  );
  const [isExpanded, setExpanded] = useState(false);
  if (branches.length < 2) return null;
  const nodes = treeOf(branches);
  const currentIndex = nodes.findIndex(({ branch }) => branch.thread === exchange.id);
  const from = isExpanded ? 0 : Math.max(0, Math.min(currentIndex - 2, nodes.length - MAX_SHOWN));
  const shown = isExpanded ? nodes : nodes.slice(from, from + MAX_SHOWN);
  return (
    <nav className={styles.branches} aria-label="Branches">
      <ul>
        {shown.map(({ branch, depth }) => (
          <li key={branch.thread} style={{ paddingInlineStart: `${Math.min(depth, 6) * 16}px` }}>
            {depth > 0 && <Glyph icon={CornerDownRight} size={14} />}
            <a
              href={`/exchange/${encodeURIComponent(branch.thread)}`}
              data-in-page
              dir="auto"
              title={escapeBidi(branch.title)}
              aria-current={branch.thread === exchange.id ? 'page' : undefined}
            >
              {escapeBidi(branch.title)}
            </a>
            <span className={styles.about}>{describeBranch(branch)}</span>
            {branch.thread !== exchange.id && (
              <LinkButton
                icon={Columns2}
                label={`Compare with ${escapeBidi(branch.title)}`}
                href={exchangePath(exchange.id, `compare.${branch.thread}`)}
              />
            )}
          </li>
        ))}
      </ul>
      {!isExpanded && nodes.length > shown.length && (
        <Button kind="quiet" onClick={() => setExpanded(true)}>
          All {nodes.length} branches
        </Button>
      )}
    </nav>
  );
}

function describeBranch({ branch, rounds }: BranchItem): string {
  const originText = branch && `${KIND_LABELS[branch.kind]} at round ${branch.from.round}`;
  return [originText, rounds !== undefined && pluralize(rounds, 'round')].filter(Boolean).join(' · ');
}

/** Puts each branch under its parent, whatever the order of the list. */
function treeOf(branches: readonly BranchItem[]): readonly { readonly branch: BranchItem; readonly depth: number }[] {
  const threadIds = new Set(branches.map(({ thread }) => thread));
  const childrenOf = Map.groupBy(branches, ({ forked_from }) =>
    forked_from && threadIds.has(forked_from.thread) ? forked_from.thread : undefined,
  );
  const nodes: { branch: BranchItem; depth: number }[] = [];
  const walk = (parent: string | undefined, depth: number) => {
    for (const branch of childrenOf.get(parent) ?? []) {
      nodes.push({ branch, depth });
      walk(branch.thread, depth + 1);
    }
  };
  walk(undefined, 0);
  return nodes;
}
