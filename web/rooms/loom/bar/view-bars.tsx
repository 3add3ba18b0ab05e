import { ArrowDown, Download } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from '../../../data/store.ts';
import { Actions } from '../../../shell/actions.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Kbd } from '../../../ui/controls/kbd.tsx';
import { exportLoom } from '../files.ts';
import type { OpenLoom } from '../loom.ts';
import styles from './bar.module.css';

interface ViewBarProps {
  readonly loom: OpenLoom;
}

/** The bar while authors are looked at. */
export function AuthorsBar({ loom }: ViewBarProps) {
  return (
    <div className={styles.bar}>
      <LeaveAction loom={loom} />
      <p className={styles.words}>
        <span className={styles.wide}>
          Hold <Kbd keys="Alt" /> to see this while you write.
        </span>
        <span className={styles.phone}>Who wrote what</span>
      </p>
      <span className={styles.push} />
      <Button icon={Download} className={styles.wideOnly} onClick={() => void exportLoom(loom, 'html')}>
        Export with authors
      </Button>
      <DoneButton loom={loom} kind="primary" />
    </div>
  );
}

/** The bar while probabilities are looked at: what the colours mean, and the way to the next surprise. */
export function ProbabilitiesBar({ loom }: ViewBarProps) {
  const state = useStore(loom.replica.loom);
  const hues = useMemo(
    () => [...new Set(loom.authors.all(state).flatMap(({ kind, hue }) => (kind === 'model' ? [hue] : [])))].slice(0, 2),
    [loom, state],
  );
  return (
    <div className={styles.bar}>
      <LeaveAction loom={loom} />
      <p className={styles.words}>
        Expected{' '}
        {hues.map((hue) => (
          <i key={hue} className={styles.ramp} data-hue={hue} />
        ))}{' '}
        Surprising
      </p>
      <span className={styles.push} />
      <Button
        kind="quiet"
        icon={ArrowDown}
        shortcut="N"
        className={styles.wideOnly}
        onClick={() => toNextSurprise(loom)}
      >
        Next surprising word
      </Button>
      <DoneButton loom={loom} kind="secondary" />
    </div>
  );
}

function DoneButton({ loom, kind }: ViewBarProps & { readonly kind: 'primary' | 'secondary' }) {
  return (
    <Button kind={kind} shortcut="Esc" onClick={() => leave(loom)}>
      Done
    </Button>
  );
}

function LeaveAction({ loom }: ViewBarProps) {
  return (
    <Actions label="This loom" actions={[{ name: 'Back to writing', keys: ['Escape'], act: () => leave(loom) }]} />
  );
}

function leave(loom: OpenLoom): void {
  loom.view.set('write');
  loom.editor?.view.focus();
}

function toNextSurprise({ editor }: OpenLoom): void {
  editor?.view.focus();
  editor?.view.contentDOM.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true }));
}
