import { useEffect, useState } from 'react';
import { CopyButton } from '../copy-button.tsx';
import styles from './code-block.module.css';
import { escapeBidi } from './escape-bidi.ts';
import type { CodeLines } from './highlight.ts';

interface CodeBlockProps {
  /** As written after the fence: "css", "typescript". */
  readonly language: string;
  readonly text: string;
  /** More lines will follow: it gets its colours when it is whole, not with every word. */
  readonly isGrowing?: boolean;
}

/** Code with its language and Copy. Its colours come when they are ready; the text stays where it is. */
export function CodeBlock({ language, text, isGrowing = false }: CodeBlockProps) {
  return (
    <div className={styles.code}>
      <header className={styles.head}>
        <span dir="auto">{escapeBidi(language.slice(0, 40)) || 'Code'}</span>
        <CopyButton text={text} hasWord />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={styles.text} tabIndex={0}>
        <code dir="auto">
          <CodeText language={language} text={text} isGrowing={isGrowing} />
        </code>
      </pre>
    </div>
  );
}

function CodeText({ language, text, isGrowing }: CodeBlockProps) {
  const [lines, setLines] = useState<CodeLines>();
  useEffect(() => {
    let isCurrent = true;
    setLines(undefined);
    if (language && !isGrowing)
      void import('./highlighter.ts')
        .then(({ highlightBeside }) => highlightBeside(text, language))
        .then((found) => isCurrent && setLines(found))
        .catch(() => {}); // Code without colours is code all the same.
    return () => {
      isCurrent = false;
    };
  }, [language, text, isGrowing]);
  if (!lines) return escapeBidi(text);
  return lines.map((line, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
    <span key={row}>
      {line.map((token, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: nor do tokens
        <span key={column} className={token.role && styles[token.role]}>
          {escapeBidi(token.text)}
        </span>
      ))}
      {row < lines.length - 1 && '\n'}
    </span>
  ));
}
