import type { ComponentProps } from 'react';
import styles from './card.module.css';

interface CardProps extends ComponentProps<'div'> {
  /** Selected: it has the primary action. Needs: it waits for you. */
  readonly tone?: 'plain' | 'selected' | 'needs';
  /** An article has a name and stands for itself, as one of several does. */
  readonly as?: 'div' | 'article';
}

export function Card({ tone = 'plain', as: Element = 'div', className, ...rest }: CardProps) {
  return <Element {...rest} className={[styles.card, styles[tone], className].filter(Boolean).join(' ')} />;
}
