import { withArticle } from './article.ts';

/** The text that another one came from, in a sentence: "a draft", "the terms". */
export function originNoun(what: string): string {
  return what === 'terms' ? 'the terms' : withArticle(what);
}
