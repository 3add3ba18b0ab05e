import type { ComponentProps } from 'react';
import styles from './card.module.css';

interface CardProps extends ComponentProps<'div'> {
  /** Selected: it has the primary action. Needs: it waits for you. */
  readonly tone?: 'plain' | 'selected' | 'needs';
}

export function Card({ tone = 'plain', className, ...rest }: CardProps) {
  return <div {...rest} className={[styles.card, styles[tone], className].filter(Boolean).join(' ')} />;
}
