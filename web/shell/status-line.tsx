import { useEffect, useState } from 'react';
import { formatMoney } from '../../src/core/text/money.ts';
import { kept } from '../data/browser-storage.ts';
import { client } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { connection, thinker, usage } from '../data/workspace.ts';
import { leftOf } from '../inbox/needs.ts';
import { numeral } from '../ui/numeral.ts';
import { visible } from '../ui/text/visible.ts';

interface StatusLineProps {
  readonly me: string;
  readonly workspace: string;
  onKeys(): void;
}

/** The foot of the page: whether it is connected and what is kept when not; the model, its cost today, what is left. */
export function StatusLine({ me, workspace, onKeys }: StatusLineProps) {
  const state = useStore(connection);
  const waiting = useWaiting(state);
  const model = useModel();
  const spent = useStore(usage);
  const left = spent && leftOf(spent.budgets.workspace, spent.total);
  return (
    <footer className="status">
      <p role="status">
        {state === 'open' ? 'connected' : state === 'connecting' ? 'connecting' : reconnecting(waiting)}
      </p>
      <p className="status-more">
        {[model && visible(model), spent && `${costToday(spent)} today`, left?.words].filter(Boolean).join(' · ')}
      </p>
      <p className="status-who">
        {me}
        {workspace && ` in ${workspace}`}
      </p>
      <button type="button" className="act" onClick={onKeys} title="?">
        Keys
      </button>
    </footer>
  );
}

type Usage = NonNullable<ReturnType<typeof usage.get>>;

/** Money where models cost some, else tokens. */
function costToday({ days }: Usage): string {
  const today = new Date().toISOString().slice(0, 10);
  const own = days.filter(({ day }) => day === today);
  const cost = own.reduce((sum, each) => sum + each.cost, 0);
  const tokens = own.reduce((sum, { promptTokens, generatedTokens }) => sum + promptTokens + generatedTokens, 0);
  return cost > 0 ? formatMoney(cost) : `${numeral(tokens)} tokens`;
}

function useModel(): string | undefined {
  useEffect(() => {
    client.models.list().then(
      ({ models }) => thinker.set(models.find(({ default_for }) => default_for.includes('mind'))?.name),
      () => {}, // It is told again with the next page.
    );
  }, []);
  return useStore(thinker);
}

function reconnecting(waiting: number): string {
  if (waiting === 0) return 'reconnecting; what you write is kept here';
  return `reconnecting; ${waiting} ${waiting === 1 ? 'message is' : 'messages are'} kept here and will be sent`;
}

/** How many messages wait for the connection. */
function useWaiting(state: string): number {
  const [waiting, setWaiting] = useState(0);
  useEffect(() => {
    if (state === 'open') return;
    const count = () => setWaiting(kept.waiting());
    count();
    const timer = setInterval(count, 500);
    return () => clearInterval(timer);
  }, [state]);
  return waiting;
}
