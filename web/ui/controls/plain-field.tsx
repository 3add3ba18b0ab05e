import type { ComponentProps } from 'react';
import styles from './field.module.css';

/** A line of text in a place that names it: give it an `aria-label`. */
export function PlainInput(props: ComponentProps<'input'>) {
  return <input {...props} className={styles.input} />;
}

/** Lines of text in a place that names them: give it an `aria-label`. */
export function PlainArea(props: ComponentProps<'textarea'>) {
  return <textarea {...props} className={`${styles.input} ${styles.area} ${styles.plainArea}`} />;
}
