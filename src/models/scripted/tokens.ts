import type { ScriptedAnswer } from './script.ts';

export interface ScriptedToken {
  readonly text: string;
  readonly logprob?: number;
  readonly alternatives?: Readonly<Record<string, number>>;
}

/** A scripted model's tokens: words with the space before them. */
export function splitTokens(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\S)(?=\s)/);
}

export interface ScriptedLimits {
  readonly n: number;
  readonly maxTokens?: number | undefined;
  readonly stop: readonly string[];
}

export interface ScriptedChoice {
  readonly tokens: readonly ScriptedToken[];
  readonly finish: 'stop' | 'length';
}

/**
 * The text of each choice, within the limits of the request. If more choices are requested than there are, they
 * repeat.
 */
export function buildChoices(
  answer: ScriptedAnswer,
  { n, maxTokens, stop }: ScriptedLimits,
): readonly ScriptedChoice[] {
  const texts = answer.choices ?? [answer.text ?? ''];
  return Array.from({ length: n }, (_, i) => {
    const tokens = answer.tokens ?? splitTokens(texts[i % texts.length]!).map((text) => ({ text }));
    const stoppedTokens = truncateAtStop(tokens, stop);
    const limitedTokens = stoppedTokens.slice(0, maxTokens);
    return { tokens: limitedTokens, finish: limitedTokens.length < stoppedTokens.length ? 'length' : answer.finish };
  });
}

function truncateAtStop(tokens: readonly ScriptedToken[], stop: readonly string[]): readonly ScriptedToken[] {
  const text = tokens.map((token) => token.text).join('');
  const positions = stop.map((stopText) => text.indexOf(stopText)).filter((at) => at >= 0);
  if (positions.length === 0) return tokens;
  let remaining = Math.min(...positions);
  return tokens.flatMap((token) => {
    const keptText = token.text.slice(0, remaining);
    remaining -= keptText.length;
    return keptText === '' ? [] : [{ ...token, text: keptText }];
  });
}
