import type { Script, ScriptedAnswer } from './script.ts';

/** Takes the first unused answer whose condition holds; with `loop`, all answers can be used again after the last. */
export function createAnswerPicker({ answers, loop }: Script): (prompt: string) => ScriptedAnswer | undefined {
  const useCounts = answers.map(() => 0);
  return function pick(prompt, canLoop = loop): ScriptedAnswer | undefined {
    const index = answers.findIndex(
      (answer, i) => (answer.repeat === 'always' || useCounts[i]! < answer.repeat) && matchesPrompt(answer, prompt),
    );
    if (index >= 0) {
      useCounts[index]!++;
      return answers[index];
    }
    if (!canLoop) return undefined;
    useCounts.fill(0);
    return pick(prompt, false);
  } as (prompt: string) => ScriptedAnswer | undefined;
}

function matchesPrompt({ when = [] }: ScriptedAnswer, prompt: string): boolean {
  return [when].flat().every((text) => prompt.includes(text));
}
