import type { WireEvent } from '../../../../src/client/index.ts';

/** Sentences about generations that fail or bring fewer choices than requested. Pass it every event of the loom. */
export function createFailureMessages() {
  /** How many choices were asked for, by generation. */
  const requestedCounts = new Map<string, number>();

  return ({ type, content }: Pick<WireEvent, 'type' | 'content'>): string | undefined => {
    const { generation, n, message, choices, error } = content as unknown as {
      readonly generation: string;
      readonly n: number;
      readonly message: string;
      readonly choices: readonly unknown[];
      readonly error?: { readonly message: string };
    };
    if (type === 'generation.requested') requestedCounts.set(generation, n);
    if (type === 'generation.failed') return `${message} Your text is as it was.`;
    if (type !== 'generation.finished' || !error) return undefined;
    const requestedCount = requestedCounts.get(generation) ?? choices.length;
    return choices.length < requestedCount
      ? `${choices.length} of ${requestedCount} came. ${error.message}`
      : `${error.message} What came is kept.`;
  };
}
