import type { ModelFault } from './model.ts';

/** The message without its advice, for readers who cannot act on it. */
export function withoutAdvice(message: string, fault: ModelFault | undefined): string {
  const { advice = '' } = fault ?? {};
  return advice !== '' && message.endsWith(advice) ? message.slice(0, -advice.length).trimEnd() : message;
}
