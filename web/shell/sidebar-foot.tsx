import { Monitor, Moon, Settings, Sun } from 'lucide-react';
import { formatNumber } from '../../src/core/text/format-number.ts';
import type { Theme } from '../data/browser-storage.ts';
import { connection } from '../data/connection.ts';
import { showMoney } from '../data/money.ts';
import { useStore } from '../data/store.ts';
import { usage } from '../data/workspace.ts';
import { remainingBudget } from '../inbox/needs.ts';
import { IconButton, LinkButton } from '../ui/controls/button.tsx';
import type { Icon } from '../ui/icon.tsx';
import { Face, Name } from '../ui/people/participant.tsx';
import styles from './sidebar.module.css';
import { setTheme, theme } from './theme.ts';

/** Who you are, what models used today, light or dark, and the settings. */
export function SidebarFoot({ me, isInSettings }: { readonly me: string; readonly isInSettings: boolean }) {
  const isOnline = useStore(connection) === 'open';
  return (
    <div className={styles.foot}>
      <Face id={me} online={isOnline} />
      <p className={styles.who}>
        <Name id={me} />
        <UsedToday />
      </p>
      <ThemeSwitch />
      <LinkButton icon={Settings} label="Settings" href="/settings" isCurrent={isInSettings} />
    </div>
  );
}

/** Money if models have a price, otherwise tokens; what is left of the budget on hover. */
function UsedToday() {
  const current = useStore(usage);
  if (!current) return <small className={styles.used}>&nbsp;</small>;
  const remaining = remainingBudget(current.budgets.workspace, { ...current.total, currency: current.currency });
  return (
    <small className={styles.used} title={remaining && `${remaining.words} of the workspace’s budget`}>
      {usedToday(current)} today
    </small>
  );
}

function usedToday({ days }: NonNullable<ReturnType<typeof usage.get>>): string {
  const today = new Date().toISOString().slice(0, 10);
  const ofToday = days.filter(({ day }) => day === today);
  const cost = ofToday.reduce((sum, each) => sum + each.cost, 0);
  const tokens = ofToday.reduce((sum, { promptTokens, generatedTokens }) => sum + promptTokens + generatedTokens, 0);
  return cost > 0 ? showMoney(cost) : `${formatNumber(tokens)} tokens`;
}

const NEXT_THEME: Readonly<Record<Theme, { readonly next: Theme; readonly icon: Icon; readonly label: string }>> = {
  system: { next: 'light', icon: Monitor, label: 'Theme: match system' },
  light: { next: 'dark', icon: Sun, label: 'Theme: light' },
  dark: { next: 'system', icon: Moon, label: 'Theme: dark' },
};

function ThemeSwitch() {
  const { next, icon, label } = NEXT_THEME[useStore(theme)];
  return <IconButton icon={icon} label={label} onClick={() => setTheme(next)} />;
}
