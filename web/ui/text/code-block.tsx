import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../controls/button.tsx';
import styles from './code-block.module.css';

interface CodeBlockProps {
  /** As written after the fence: "css", "typescript". */
  readonly language?: string | undefined;
  readonly text: string;
}

/** Code with its language and Copy. */
export function CodeBlock({ language, text }: CodeBlockProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <div className={styles.code}>
      <header className={styles.head}>
        <span>{language ?? 'Code'}</span>
        <Button kind="quiet" icon={copied ? Check : Copy} onClick={() => void copy()}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={styles.text} tabIndex={0}>
        <code>{text}</code>
      </pre>
    </div>
  );
}
