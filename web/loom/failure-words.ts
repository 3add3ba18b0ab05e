import type { WireEvent } from '../../src/client/index.ts';

/** What a person is told of generations that fail, or bring less than was asked for. Hears every event of a loom. */
export function createFailureWords() {
  /** How many choices were asked for, by generation. */
  const asked = new Map<string, number>();

  return ({ type, content }: Pick<WireEvent, 'type' | 'content'>): string | undefined => {
    const { generation, n, message, choices, error } = content as unknown as {
      readonly generation: string;
      readonly n: number;
      readonly message: string;
      readonly choices: readonly unknown[];
      readonly error?: { readonly message: string };
    };
    if (type === 'generation.requested') asked.set(generation, n);
    if (type === 'generation.failed') return `${message} Your text is as it was.`;
    if (type !== 'generation.finished' || !error) return undefined;
    const most = asked.get(generation) ?? choices.length;
    return choices.length < most
      ? `${choices.length} of ${most} came. ${error.message}`
      : `${error.message} What came is kept.`;
  };
}
