import type { Answer } from './script.ts';

export interface Said {
  readonly text: string;
  readonly logprob?: number;
  readonly alternatives?: Readonly<Record<string, number>>;
}

/** A scripted model's tokens: words with the blank before them. */
export function wordsOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\S)(?=\s)/);
}

export interface Limits {
  readonly n: number;
  readonly maxTokens?: number | undefined;
  readonly stop: readonly string[];
}

export interface Choice {
  readonly tokens: readonly Said[];
  readonly finish: 'stop' | 'length';
}

/** What each choice says, within the bounds of the request. Asked for more choices than there are, they come again. */
export function choicesOf(answer: Answer, { n, maxTokens, stop }: Limits): readonly Choice[] {
  const texts = answer.choices ?? [answer.text ?? ''];
  return Array.from({ length: n }, (_, i) => {
    const all = answer.tokens ?? wordsOf(texts[i % texts.length]!).map((text) => ({ text }));
    const until = untilStop(all, stop);
    const kept = until.slice(0, maxTokens);
    return { tokens: kept, finish: kept.length < until.length ? 'length' : answer.finish };
  });
}

function untilStop(tokens: readonly Said[], stop: readonly string[]): readonly Said[] {
  const text = tokens.map((token) => token.text).join('');
  const found = stop.map((each) => text.indexOf(each)).filter((at) => at >= 0);
  if (found.length === 0) return tokens;
  let left = Math.min(...found);
  return tokens.flatMap((token) => {
    const part = token.text.slice(0, left);
    left -= part.length;
    return part === '' ? [] : [{ ...token, text: part }];
  });
}
