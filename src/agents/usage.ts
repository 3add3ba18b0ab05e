import { believableTokens, estimateTokens } from '../models/remote/estimate.ts';
import type { Tokens } from './agent.ts';

/** What a program was sent and said, and how long it ran. */
interface Ran {
  readonly sent: string;
  readonly said: string;
  readonly seconds: number;
}

/** A program asks its model many times and shows only the last answer: it may use this much, and more the longer it runs. */
const READ = { once: 1_000_000, perSecond: 100_000 };
const WRITTEN = { once: 20_000, perSecond: 1_000 };
const MONEY = { once: 10, perSecond: 1 };

/** What a program says it used, where that can be; else what its prompt and its answer come to (M13). */
export function tokensUsed(reported: Tokens | undefined, ran: Ran): Tokens & { readonly estimated?: true } {
  const guess = { promptTokens: estimateTokens(ran.sent), generatedTokens: estimateTokens(ran.said) };
  const within = ({ once, perSecond }: typeof READ) => once + perSecond * Math.ceil(ran.seconds);
  const isPrompt = believableTokens(reported?.promptTokens, guess.promptTokens, within(READ));
  const isAnswer = believableTokens(reported?.generatedTokens, guess.generatedTokens, within(WRITTEN));
  const { cost } = reported ?? {};
  const isCost = cost === undefined || cost <= within(MONEY);
  return {
    promptTokens: isPrompt ? (reported as Tokens).promptTokens : guess.promptTokens,
    generatedTokens: isAnswer ? (reported as Tokens).generatedTokens : guess.generatedTokens,
    ...(isCost && cost !== undefined && { cost }),
    ...(!(isPrompt && isAnswer && isCost) && { estimated: true }),
  };
}
