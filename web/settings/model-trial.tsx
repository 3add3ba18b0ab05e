import { Fragment } from 'react';
import type { ModelTested } from '../../src/client/index.ts';
import { formatMoney } from '../../src/core/text/money.ts';
import { visible } from '../ui/text/visible.ts';

/** The texts of a test as they come; they stay when the rest of it fails. */
export function Coming({ texts, isBusy }: { readonly texts: readonly string[]; readonly isBusy: boolean }) {
  if (texts.length === 0) return null;
  return (
    <ol className="trials" aria-busy={isBusy}>
      {texts.map((text, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a choice is known by its number
        <li key={i} dir="auto">
          {visible(text ?? '')}
        </li>
      ))}
    </ol>
  );
}

/** What it wrote; under each token stands how likely it was. */
export function Tested({ tested }: { readonly tested: ModelTested }) {
  const { choices, prompt, kind, usage, cost, latency, offered } = tested;
  return (
    <div role="status">
      <p className="soft">
        {kind === 'answer' ? 'To' : 'After'} “{visible(prompt)}”
        {choices.some(({ tokens }) => tokens.length > 0) ? ', each token with its probability in per cent:' : ':'}
      </p>
      <ol className="trials">
        {choices.map(({ text, tokens }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a choice is known by its number
          <li key={i} dir="auto">
            {tokens.length > 0 ? <Tokens tokens={tokens} /> : visible(text)}
          </li>
        ))}
      </ol>
      <p className="soft">
        {usage.estimated ? 'about ' : ''}
        {usage.promptTokens} tokens read, {usage.generatedTokens} written in {(latency.totalMs / 1000).toFixed(1)} s
        {cost > 0 && `, ${formatMoney(cost)}`}
      </p>
      <Offered models={offered ?? []} />
    </div>
  );
}

/** What the server says it has. */
export function Offered({ models }: { readonly models: readonly string[] }) {
  if (models.length === 0) return null;
  return (
    <details>
      <summary className="soft">Models on this server ({models.length})</summary>
      <p className="soft">{visible(models.join(', '))}</p>
    </details>
  );
}

function Tokens({ tokens }: { readonly tokens: ModelTested['choices'][number]['tokens'] }) {
  return tokens.map(({ text, probability, alternatives }, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a token is known by its place
    <Fragment key={i}>
      {/^\s/.test(text) && ' '}
      <span
        className="token"
        title={alternatives.map((each) => `${each.text.trim() || 'space'} ${percent(each.probability)} %`).join(', ')}
      >
        <span>{visible(text.trim()) || (text.includes('\n') ? '↵' : '␣')}</span>
        <small>{percent(probability)}</small>
      </span>
    </Fragment>
  ));
}

function percent(probability: number): string {
  return probability < 0.01 ? '<1' : String(Math.round(probability * 100));
}
