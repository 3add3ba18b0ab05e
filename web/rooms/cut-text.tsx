import { readPartialOutput } from '../../src/core/pool/partial-output.ts';
import { Markdown } from '../ui/text/markdown.tsx';
import styles from './cut-text.module.css';

/** What had arrived of a mind's or an auditor's answer when it broke off. */
export function CutText({ text }: { readonly text: string }) {
  const { draft, thoughts } = readPartialOutput(text);
  const kept = draft ?? thoughts.map((thought) => `- ${thought}`).join('\n');
  if (kept.trim() === '') return null;
  return (
    <div className={styles.cut}>
      <Markdown text={kept} />
      <p className={styles.note}>The answer was cut off here. The text so far is kept.</p>
    </div>
  );
}
