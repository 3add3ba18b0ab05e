import type { ModelFault } from './model.ts';

/** What went wrong, for those who do not need to be told what to do about it. */
export function withoutAdvice(message: string, fault: ModelFault | undefined): string {
  const { advice = '' } = fault ?? {};
  return advice !== '' && message.endsWith(advice) ? message.slice(0, -advice.length).trimEnd() : message;
}
