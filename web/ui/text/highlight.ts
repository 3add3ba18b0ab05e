import { createHighlighterCore, type HighlighterCore, type ThemeRegistrationRaw } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { languageOf } from './highlight-languages.ts';

export type CodeRole = 'key' | 'string' | 'name' | 'note' | undefined;

export interface CodeToken {
  readonly text: string;
  readonly role: CodeRole;
}
export type CodeLines = readonly (readonly CodeToken[])[];

const MAX_LENGTH = 30_000;
const MAX_LINE_LENGTH = 2000;

/** A theme whose colours are roles: the page's own tokens give them their colours, and no style is inline. */
const ROLES: Readonly<Record<string, CodeRole>> = {
  '#000001': 'note',
  '#000002': 'string',
  '#000003': 'key',
  '#000004': 'name',
};
const ROLE_SCOPES: Readonly<Record<string, readonly string[]>> = {
  '#000001': ['comment', 'punctuation.definition.comment', 'markup.quote'],
  '#000002': ['string', 'constant.character', 'constant.other.symbol', 'markup.inline.raw', 'markup.inserted'],
  '#000003': [
    'keyword',
    'storage',
    'constant.language',
    'constant.numeric',
    'support.type.property-name',
    'markup.heading',
  ],
  '#000004': [
    'entity.name',
    'entity.other.attribute-name',
    'support.function',
    'support.class',
    'variable.other.constant',
  ],
};
const THEME: ThemeRegistrationRaw = {
  name: 'roles',
  type: 'light',
  fg: '#000000',
  bg: '#ffffff',
  settings: [
    { settings: { foreground: '#000000', background: '#ffffff' } },
    ...Object.entries(ROLE_SCOPES).map(([foreground, scope]) => ({ scope: [...scope], settings: { foreground } })),
    { scope: ['keyword.operator'], settings: { foreground: '#000000' } },
  ],
};

let highlighter: Promise<HighlighterCore> | undefined;

/** The tokens of each line; undefined for a language that is not known, or a text that would take long. */
export async function highlight(text: string, language: string): Promise<CodeLines | undefined> {
  const known = languageOf(language);
  if (!known || text.length > MAX_LENGTH) return undefined;
  highlighter ??= createHighlighterCore({ themes: [THEME], engine: createJavaScriptRegexEngine({ forgiving: true }) });
  const core = await highlighter;
  await core.loadLanguage(known.load());
  const lines = core.codeToTokensBase(text, {
    lang: known.name,
    theme: 'roles',
    tokenizeMaxLineLength: MAX_LINE_LENGTH,
    tokenizeTimeLimit: 0, // The page ends the worker instead.
  });
  return lines.map((line) =>
    line.map(({ content, color }) => ({ text: content, role: ROLES[color?.toLowerCase() ?? ''] })),
  );
}
