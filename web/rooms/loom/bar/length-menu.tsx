import { ChevronDown } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { WireUsage } from '../../../../src/client/index.ts';
import { formatNumber } from '../../../../src/core/text/format-number.ts';
import { showMoney } from '../../../data/money.ts';
import { client } from '../../../data/session.ts';
import { useStore } from '../../../data/store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Popover } from '../../../ui/floating/popover.tsx';
import { Glyph } from '../../../ui/icon.tsx';
import { generationSize, type OpenLoom } from '../loom.ts';
import { GenerationFields } from '../settings/generation-fields.tsx';
import styles from './bar.module.css';

/** "3 × 60 tokens": how many continuations, how long, how bold. */
export function LengthMenu({ loom }: { readonly loom: OpenLoom }) {
  useStore(loom.generationOptions);
  useStore(loom.replica.loom);
  const { n, tokens } = generationSize(loom);
  return (
    <Popover
      title="What to generate"
      trigger={
        <Button kind="quiet" aria-label={`${n} × ${tokens} tokens`}>
          <span className={styles.wide}>
            {n} × {formatNumber(tokens)} tokens
          </span>
          <span className={styles.phone}>{n}</span>
          <Glyph icon={ChevronDown} size={14} />
        </Button>
      }
    >
      <div className={styles.fields}>
        <GenerationFields loom={loom} />
        <UsageSummary loom={loom} />
      </div>
    </Popover>
  );
}

/** What models have used in this loom so far. */
function UsageSummary({ loom }: { readonly loom: OpenLoom }) {
  const [usage, setUsage] = useState<WireUsage['threads'][number]>();
  useEffect(() => {
    client.models.usage().then(
      ({ threads }) => setUsage(threads.find(({ thread }) => thread === loom.id)),
      () => {},
    );
  }, [loom]);
  const total = (usage?.promptTokens ?? 0) + (usage?.generatedTokens ?? 0);
  if (!usage || total === 0) return null;
  return (
    <p className={styles.hint} title={`${usage.promptTokens} tokens read, ${usage.generatedTokens} written`}>
      Used in this loom: {formatNumber(total)} tokens{usage.cost > 0 && `, ${showMoney(usage.cost)}`}
    </p>
  );
}
