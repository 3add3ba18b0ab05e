import { Fragment } from 'react';
import type { ModelTestResult } from '../../src/client/index.ts';
import { showMoney } from '../data/money.ts';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { formatMs } from './model-status.ts';
import styles from './model-trial.module.css';

/** The texts of a test as they stream in; they stay if the rest of it fails. */
export function TestStream({ texts, isBusy }: { readonly texts: readonly string[]; readonly isBusy: boolean }) {
  if (texts.length === 0) return null;
  return (
    <ol className={styles.texts} aria-busy={isBusy}>
      {texts.map((text, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a choice is known by its number
        <li key={i} dir="auto">
          {escapeBidi(text ?? '')}
        </li>
      ))}
    </ol>
  );
}

/** The test's output; each token has its probability below it. */
export function TestResult({ result }: { readonly result: ModelTestResult }) {
  const { choices, prompt, kind, usage, cost, latency, offered } = result;
  return (
    <div role="status" className={styles.trial}>
      <p className={styles.prompt}>
        {kind === 'answer' ? 'To' : 'After'} “{escapeBidi(prompt)}”
        {choices.some(({ tokens }) => tokens.length > 0) ? ', each token with its probability in percent:' : ':'}
      </p>
      <ol className={styles.texts}>
        {choices.map(({ text, tokens }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a choice is known by its number
          <li key={i} dir="auto">
            {tokens.length > 0 ? <TokenList tokens={tokens} /> : escapeBidi(text)}
          </li>
        ))}
      </ol>
      <p className={styles.figures}>
        {formatMs(latency.totalMs)} · {usage.estimated ? 'about ' : ''}
        {usage.promptTokens} tokens in, {usage.generatedTokens} out
        {cost > 0 && ` · ${showMoney(cost)}`}
      </p>
      <OfferedModels models={offered ?? []} />
    </div>
  );
}

/** The models that the server offers. */
export function OfferedModels({ models }: { readonly models: readonly string[] }) {
  if (models.length === 0) return null;
  return (
    <details className={styles.offered}>
      <summary>Models on this server ({models.length})</summary>
      <p>{escapeBidi(models.join(', '))}</p>
    </details>
  );
}

function TokenList({ tokens }: { readonly tokens: ModelTestResult['choices'][number]['tokens'] }) {
  return tokens.map(({ text, probability, alternatives }, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a token is known by its place
    <Fragment key={i}>
      {/^\s/.test(text) && ' '}
      <span
        className={styles.token}
        data-token=""
        title={alternatives
          .map((each) => `${each.text.trim() || 'space'} ${formatPercent(each.probability)} %`)
          .join(', ')}
      >
        <span>{escapeBidi(text.trim()) || (text.includes('\n') ? '↵' : '␣')}</span>
        <small>{formatPercent(probability)}</small>
      </span>
    </Fragment>
  ));
}

function formatPercent(probability: number): string {
  return probability < 0.01 ? '<1' : String(Math.round(probability * 100));
}
