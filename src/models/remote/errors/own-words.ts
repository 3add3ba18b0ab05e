/** A server's message without the parts it quotes from the request. */
export interface ServerWords {
  readonly text: string;
  /** Whether anything was removed. */
  readonly hasQuotes: boolean;
}

/** This many consecutive words from the request are a quotation; a shorter text counts only as a whole. */
const RUN_LENGTH = 4;
const MIN_RUN_LENGTH = 2;
const WORD = /[\p{L}\p{N}_]+/gu;

/**
 * Servers quote prompts when they refuse them, and anybody can write into a prompt. Words are compared, so it does
 * not matter how a quotation was escaped, wrapped or truncated.
 */
export function removeQuotes(message: string, request: Readonly<Record<string, unknown>>): ServerWords {
  const text = normalizeText(message);
  const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    word: word.toLowerCase(),
    from: index,
    to: index + word.length,
  }));
  const runPositions = indexRuns(words.map(({ word }) => word));
  const isQuoted = new Array<boolean>(words.length).fill(false);
  for (const sentText of textsIn({ ...request, model: undefined })) {
    const sentWords = (normalizeText(sentText).match(WORD) ?? []).map((word) => word.toLowerCase());
    const length = Math.min(RUN_LENGTH, sentWords.length);
    if (length < MIN_RUN_LENGTH) continue;
    for (let start = 0; start + length <= sentWords.length; start++) {
      const run = sentWords.slice(start, start + length).join(' ');
      for (const position of runPositions.get(run) ?? []) isQuoted.fill(true, position, position + length);
      runPositions.delete(run);
    }
  }
  let unquoted = '';
  let end = 0;
  words.forEach(({ from, to }, i) => {
    if (!isQuoted[i]) return;
    // Nothing between two words of a quotation is the server's own.
    unquoted += i > 0 && isQuoted[i - 1] ? '' : `${text.slice(end, from)}…`;
    end = to;
  });
  return { text: unquoted + text.slice(end), hasQuotes: isQuoted.includes(true) };
}

function indexRuns(words: readonly string[]): Map<string, number[]> {
  const runPositions = new Map<string, number[]>();
  for (let length = MIN_RUN_LENGTH; length <= RUN_LENGTH; length++) {
    for (let start = 0; start + length <= words.length; start++) {
      const run = words.slice(start, start + length).join(' ');
      const positions = runPositions.get(run);
      if (positions) positions.push(start);
      else runPositions.set(run, [start]);
    }
  }
  return runPositions;
}

/** Removes escapes, entities and invisible characters. */
function normalizeText(text: string): string {
  return text
    .replace(/\\{1,8}u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\{1,8}[nrt]/g, ' ')
    .replace(/\\{1,8}(?=["'`/])/g, '')
    .replace(/&(#\w{1,8}|\w{2,8});/g, ' ')
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '');
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* textsIn(each);
}
