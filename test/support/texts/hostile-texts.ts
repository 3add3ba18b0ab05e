import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { toUnicodeSet } from 'regexp-ast-analysis';
import type { Expression } from '../../../scripts/expression-cost.ts';

/** A text of at least so many characters. */
export type HostileText = (size: number) => string;

const BREAKERS = ['', '\0', '\n', 'x'];
const VARIANTS = 2;

/** Texts made of an expression's own alphabet: long runs, beginnings without an end, and matches that just fail. */
export function hostileTexts({ source, flags }: Expression): readonly HostileText[] {
  const parser = new RegExpParser();
  const parsed = parser.parseFlags(flags);
  const unicode = { unicode: parsed.unicode, unicodeSets: parsed.unicodeSets };
  const pattern = parser.parsePattern(source, undefined, undefined, unicode);
  const texts = new Map<string, HostileText>();
  const add = (head: string, pump: string, tail: string) => {
    if (pump === '') return;
    texts.set(JSON.stringify([head, pump, tail]), (size) => head + pump.repeat(Math.ceil(size / pump.length)) + tail);
  };
  for (const char of new Set([' ', ...charactersOf(pattern, parsed)])) {
    for (const tail of BREAKERS) add('', char, tail);
    add('x', char, 'x');
  }
  for (let variant = 0; variant < VARIANTS; variant++) {
    const sample = (nodes: readonly AST.Element[]) => nodes.map((node) => sampleOf(node, parsed, variant)).join('');
    for (const { elements } of pattern.alternatives) {
      for (const tail of BREAKERS) {
        add('', sample(elements), tail);
        add('', sample(elements).slice(0, -1), tail);
      }
    }
    visitRegExpAST(pattern, {
      onQuantifierEnter(quantifier) {
        const before = sample(elementsBefore(quantifier));
        const pump = sample([quantifier.element]);
        for (const tail of BREAKERS) {
          add(before, pump, tail);
          add('', before + pump, tail);
          add('', before, tail);
          add('', `${before}${pump} `, tail);
        }
      },
    });
  }
  return [...texts.values()];
}

function elementsBefore(quantifier: AST.Quantifier): readonly AST.Element[] {
  const before: AST.Element[] = [];
  let child: AST.Node = quantifier;
  for (let node: AST.Node | null = quantifier.parent; node; child = node, node = node.parent) {
    if (node.type === 'Alternative')
      before.unshift(...node.elements.slice(0, node.elements.indexOf(child as AST.Element)));
  }
  return before;
}

/** Some text that the element matches, another one for each variant where there is a choice. */
function sampleOf(node: AST.Element, flags: AST.Flags, variant: number): string {
  switch (node.type) {
    case 'Character':
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass':
      return pick(node, flags, variant);
    case 'Quantifier':
      return sampleOf(node.element, flags, variant).repeat(Math.min(Math.max(node.min, 1), 64));
    case 'Group':
    case 'CapturingGroup': {
      const chosen = node.alternatives[variant % node.alternatives.length];
      return (chosen?.elements ?? []).map((each) => sampleOf(each, flags, variant)).join('');
    }
    case 'Backreference':
      return [node.resolved].flat().map((group) => sampleOf(group, flags, variant))[0] ?? '';
    case 'Assertion':
      return '';
  }
}

type CharacterNode = AST.Character | AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass;
const LIKELY = [...' a1-._"`x\n\\[(<:/#@*é'].map((char) => char.codePointAt(0) as number);

function pick(node: CharacterNode, flags: AST.Flags, variant: number): string {
  const { chars } = toUnicodeSet(node, flags);
  const likely = LIKELY.filter((char) => chars.has(char));
  const code = likely.length > 0 ? likely[variant % likely.length] : chars.ranges[0]?.min;
  return code === undefined ? '' : String.fromCodePoint(code);
}

function charactersOf(pattern: AST.Pattern, flags: AST.Flags): readonly string[] {
  const found: string[] = [];
  const add = (node: CharacterNode) => {
    if (node.parent.type === 'Alternative' || node.parent.type === 'Quantifier') found.push(pick(node, flags, 0));
  };
  visitRegExpAST(pattern, { onCharacterEnter: add, onCharacterSetEnter: add, onCharacterClassEnter: add });
  return found.filter((char) => char !== '');
}
