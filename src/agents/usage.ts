import { estimateTokens, isPlausibleTokenCount } from '../models/remote/estimate.ts';
import type { AgentUsage } from './agent.ts';

interface ProgramRun {
  readonly input: string;
  readonly output: string;
  readonly seconds: number;
}

/** A program may call its model many times and show only the last answer, so the ceiling grows with time. */
const PROMPT_CEILING = { once: 1_000_000, perSecond: 100_000 };
const COMPLETION_CEILING = { once: 20_000, perSecond: 1_000 };
const COST_CEILING = { once: 10, perSecond: 1 };

/** The usage a program reports, if it is plausible; else an estimate from its prompt and its answer (M13). */
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
