import type { Answer, Script } from './script.ts';

/** Takes the first answer that is not used up and whose condition holds; with `loop`, all are fresh again at the end. */
export function createPicker({ answers, loop }: Script): (asked: string) => Answer | undefined {
  const used = answers.map(() => 0);
  return function pick(asked, again = loop): Answer | undefined {
    const found = answers.findIndex(
      (answer, i) => (answer.repeat === 'always' || used[i]! < answer.repeat) && applies(answer, asked),
    );
    if (found >= 0) {
      used[found]!++;
      return answers[found];
    }
    if (!again) return undefined;
    used.fill(0);
    return pick(asked, false);
  } as (asked: string) => Answer | undefined;
}

function applies({ when = [] }: Answer, asked: string): boolean {
  return [when].flat().every((text) => asked.includes(text));
}
