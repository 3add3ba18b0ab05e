import { createResilientModel, type ResilienceOptions, type ResilientModel } from '../resilience/resilient-model.ts';
import { createAnthropicModel } from './anthropic/anthropic.ts';
import { createOpenAiModel } from './openai/openai.ts';
import type { RemoteOptions } from './options.ts';

/** A remote model with the protections that keep its caller from hanging. */
export function createRemoteModel(
  options: RemoteOptions,
  resilience: Omit<ResilienceOptions, 'timeouts'> = {},
): ResilientModel {
  const model = options.provider === 'anthropic' ? createAnthropicModel(options) : createOpenAiModel(options);
  return createResilientModel(model, { ...resilience, ...(options.timeouts && { timeouts: options.timeouts }) });
}
