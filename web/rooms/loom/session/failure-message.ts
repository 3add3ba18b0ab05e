import type { LoomEvent } from '../../../../src/core/loom/events.ts';

/** Sentences about generations that fail or bring fewer choices than requested. Pass it every event of the loom. */
export function createFailureMessages() {
  /** The number of requested choices, by generation. */
  const requestedCounts = new Map<string, number>();

  return ({ type, content }: LoomEvent): string | undefined => {
    if (type === 'generation.requested') requestedCounts.set(content.generation, content.n);
    if (type === 'generation.failed') return `${content.message} Your text was not changed.`;
    if (type !== 'generation.finished' || !content.error) return undefined;
    const { generation, choices, error } = content;
    const requestedCount = requestedCounts.get(generation) ?? choices.length;
    return choices.length < requestedCount
      ? `${choices.length} of ${requestedCount} arrived. ${error.message}`
      : `${error.message} The text so far is kept.`;
  };
}
