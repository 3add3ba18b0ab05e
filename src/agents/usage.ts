import { estimateTokens, isPlausibleTokenCount } from '../models/remote/estimate.ts';
import type { AgentUsage } from './agent.ts';

/** What a program was sent and said, and how long it ran. */
interface ProgramRun {
  readonly input: string;
  readonly output: string;
  readonly seconds: number;
}

/** A program asks its model many times and shows only the last answer: it may use this much, and more the longer it runs. */
const PROMPT_CEILING = { once: 1_000_000, perSecond: 100_000 };
const COMPLETION_CEILING = { once: 20_000, perSecond: 1_000 };
const COST_CEILING = { once: 10, perSecond: 1 };

/** What a program says it used, where that can be; else what its prompt and its answer come to (M13). */
export function resolveUsage(
  reported: AgentUsage | undefined,
  run: ProgramRun,
): AgentUsage & { readonly estimated?: true } {
  const estimate = { promptTokens: estimateTokens(run.input), generatedTokens: estimateTokens(run.output) };
  const ceilingFor = ({ once, perSecond }: typeof PROMPT_CEILING) => once + perSecond * Math.ceil(run.seconds);
  const isPromptPlausible = isPlausibleTokenCount(
    reported?.promptTokens,
    estimate.promptTokens,
    ceilingFor(PROMPT_CEILING),
  );
  const isCompletionPlausible = isPlausibleTokenCount(
    reported?.generatedTokens,
    estimate.generatedTokens,
    ceilingFor(COMPLETION_CEILING),
  );
  const { cost } = reported ?? {};
  const isCostPlausible = cost === undefined || cost <= ceilingFor(COST_CEILING);
  return {
    promptTokens: isPromptPlausible ? (reported as AgentUsage).promptTokens : estimate.promptTokens,
    generatedTokens: isCompletionPlausible ? (reported as AgentUsage).generatedTokens : estimate.generatedTokens,
    ...(isCostPlausible && cost !== undefined && { cost }),
    ...(!(isPromptPlausible && isCompletionPlausible && isCostPlausible) && { estimated: true }),
  };
}
