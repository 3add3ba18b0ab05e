/** What a server said without what it quotes of a request. */
export interface OwnWords {
  readonly text: string;
  /** Something was taken out. */
  readonly quotes: boolean;
}

/** So many words in a row that were sent are a quotation; a text that is shorter is one as a whole. */
const RUN = 4;
const SHORTEST_RUN = 2;
const WORD = /[\p{L}\p{N}_]+/gu;

/**
 * Servers quote prompts when they refuse them, and anybody can write into a prompt. Words are compared, so that it makes
 * no difference how a quotation was escaped, wrapped or cut.
 */
export function ownWords(said: string, sent: Readonly<Record<string, unknown>>): OwnWords {
  const text = plain(said);
  const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    word: word.toLowerCase(),
    from: index,
    to: index + word.length,
  }));
  const places = placesOf(words.map(({ word }) => word));
  const isQuoted = new Array<boolean>(words.length).fill(false);
  for (const each of textsIn({ ...sent, model: undefined })) {
    const own = (plain(each).match(WORD) ?? []).map((word) => word.toLowerCase());
    const length = Math.min(RUN, own.length);
    if (length < SHORTEST_RUN) continue;
    for (let at = 0; at + length <= own.length; at++) {
      const run = own.slice(at, at + length).join(' ');
      for (const place of places.get(run) ?? []) isQuoted.fill(true, place, place + length);
      places.delete(run);
    }
  }
  let kept = '';
  let end = 0;
  words.forEach(({ from, to }, i) => {
    if (!isQuoted[i]) return;
    // Of what stands between two words of a quotation nothing is the server's own.
    kept += i > 0 && isQuoted[i - 1] ? '' : `${text.slice(end, from)}…`;
    end = to;
  });
  return { text: kept + text.slice(end), quotes: isQuoted.includes(true) };
}

function placesOf(words: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (let length = SHORTEST_RUN; length <= RUN; length++) {
    for (let at = 0; at + length <= words.length; at++) {
      const run = words.slice(at, at + length).join(' ');
      const known = places.get(run);
      if (known) known.push(at);
      else places.set(run, [at]);
    }
  }
  return places;
}

/** Without escapes, entities and characters that nobody sees. */
function plain(text: string): string {
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
