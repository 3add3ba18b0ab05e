import { Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Glyph, type Icon } from '../icon.tsx';
import styles from './banner.module.css';

interface BannerProps {
  readonly tone?: 'plain' | 'warning' | 'failure';
  readonly icon?: Icon;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A sentence about the state of what is below it, with what can be done. */
export function Banner({
  tone = 'plain',
  icon = tone === 'plain' ? Info : TriangleAlert,
  action,
  children,
}: BannerProps) {
  return (
    <div className={`${styles.banner} ${styles[tone]}`} role={tone === 'failure' ? 'alert' : 'status'}>
      <Glyph icon={icon} />
      <p className={styles.text}>{children}</p>
      {action}
    </div>
  );
}
