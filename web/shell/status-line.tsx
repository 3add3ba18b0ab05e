import { useEffect, useState } from 'react';
import { formatNumber } from '../../src/core/text/format-number.ts';
import { formatMoney } from '../../src/core/text/money.ts';
import { browserStorage } from '../data/browser-storage.ts';
import { connection } from '../data/connection.ts';
import { client } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { mindModel, usage } from '../data/workspace.ts';
import { remainingBudget } from '../inbox/needs.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';

interface StatusLineProps {
  readonly me: string;
  readonly workspace: string;
  onKeys(): void;
}

/** The bottom line: the connection and unsent messages; the model, its cost today, and the remaining budget. */
export function StatusLine({ me, workspace, onKeys }: StatusLineProps) {
  const connectionState = useStore(connection);
  const pendingCount = usePendingCount(connectionState);
  const mindModelName = useMindModel();
  const currentUsage = useStore(usage);
  const remaining = currentUsage && remainingBudget(currentUsage.budgets.workspace, currentUsage.total);
  return (
    <footer className="status">
      <p role="status">
        {connectionState === 'open'
          ? 'connected'
          : connectionState === 'connecting'
            ? 'connecting'
            : reconnectingText(pendingCount)}
      </p>
      <p className="status-more">
        {[
          mindModelName && escapeBidi(mindModelName),
          currentUsage && `${costToday(currentUsage)} today`,
          remaining?.words,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <p className="status-who">
        {me}
        {workspace && ` in ${workspace}`}
      </p>
      <ActionButton onClick={onKeys} title="?">
        Keys
      </ActionButton>
    </footer>
  );
}

type StatusUsage = NonNullable<ReturnType<typeof usage.get>>;

/** Money if models have a price, otherwise tokens. */
function costToday({ days }: StatusUsage): string {
  const today = new Date().toISOString().slice(0, 10);
  const todayUsage = days.filter(({ day }) => day === today);
  const cost = todayUsage.reduce((sum, each) => sum + each.cost, 0);
  const tokens = todayUsage.reduce((sum, { promptTokens, generatedTokens }) => sum + promptTokens + generatedTokens, 0);
  return cost > 0 ? formatMoney(cost) : `${formatNumber(tokens)} tokens`;
}

function useMindModel(): string | undefined {
  useEffect(() => {
    client.models.list().then(
      ({ models }) => mindModel.set(models.find(({ default_for }) => default_for.includes('mind'))?.name),
      () => {}, // The next page load tries again.
    );
  }, []);
  return useStore(mindModel);
}

function reconnectingText(pendingCount: number): string {
  if (pendingCount === 0) return 'reconnecting; what you write is kept here';
  return `reconnecting; ${pendingCount} ${pendingCount === 1 ? 'message is' : 'messages are'} kept here and will be sent`;
}

/** The number of messages waiting for the connection. */
function usePendingCount(state: string): number {
  const [pendingCount, setPendingCount] = useState(0);
  useEffect(() => {
    if (state === 'open') return;
    const refresh = () => setPendingCount(browserStorage.countPending());
    refresh();
    const timer = setInterval(refresh, 500);
    return () => clearInterval(timer);
  }, [state]);
  return pendingCount;
}
