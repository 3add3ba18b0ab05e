// Why a regular expression may take more than linear time, found by looking at it.
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { Chars, isPotentiallyEmpty, toUnicodeSet } from 'regexp-ast-analysis';
import { analyse } from 'scslre';

export interface Expression {
  readonly source: string;
  readonly flags: string;
}

type CharSet = ReturnType<typeof toUnicodeSet>['chars'];

/** One sentence per reason; none when the cost grows linearly with the text. */
export function costsOf(expression: Expression): readonly string[] {
  const reports = analyse(expression).reports.map((report) => {
    if (report.type === 'Trade') return `${raw(report.startQuant)} and ${raw(report.endQuant)} can take the same text`;
    if (report.type === 'Self') return `${raw(report.quant)} repeats inside ${raw(report.parentQuant)}`;
    return restarts(report.quant);
  });
  return [...new Set([...reports, ...rescans(expression)])];
}

function restarts(quantifier: AST.Quantifier): string {
  return `${raw(quantifier)} can be begun again at every character of what it ran over`;
}

/**
 * `a.*b` is tried at every `a`, and each time the rest of the text is read: scslre sees that only for a repetition at
 * the very beginning. It is linear if the repetition cannot run over what comes before it, or if nothing after can fail.
 */
function rescans({ source, flags }: Expression): readonly string[] {
  const parser = new RegExpParser();
  const parsed = parser.parseFlags(flags);
  if (parsed.sticky) return [];
  const unicode = { unicode: parsed.unicode, unicodeSets: parsed.unicodeSets };
  const pattern = parser.parsePattern(source, undefined, undefined, unicode);
  const problems: string[] = [];
  visitRegExpAST(pattern, {
    onQuantifierEnter(quantifier) {
      if (quantifier.max !== Number.POSITIVE_INFINITY) return;
      const reach = charsIn(quantifier.element, parsed);
      const { before, after } = around(quantifier);
      if (before.some((element) => keepsOut(element, reach, parsed))) return;
      if (after.some((element) => canFail(element, reach, parsed))) problems.push(restarts(quantifier));
    },
  });
  return problems;
}

/** What has to match before and after a repetition, out to the whole expression. */
function around(quantifier: AST.Quantifier): { before: AST.Element[]; after: AST.Element[] } {
  const before: AST.Element[] = [];
  const after: AST.Element[] = [];
  let child: AST.Node = quantifier;
  for (let node: AST.Node | null = quantifier.parent; node; child = node, node = node.parent) {
    if (node.type !== 'Alternative') continue;
    const at = node.elements.indexOf(child as AST.Element);
    before.push(...node.elements.slice(0, at));
    after.push(...node.elements.slice(at + 1));
  }
  return { before, after };
}

/** Whether this element cannot begin inside a run of such characters. */
function keepsOut(element: AST.Element, reach: CharSet, flags: AST.Flags): boolean {
  switch (element.type) {
    case 'Character':
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass':
      return toUnicodeSet(element, flags).chars.isDisjointWith(reach);
    case 'Quantifier':
      return element.min > 0 && keepsOut(element.element, reach, flags);
    case 'Group':
    case 'CapturingGroup':
      return element.alternatives.every((each) => each.elements.some((part) => keepsOut(part, reach, flags)));
    case 'Assertion':
      return assertionKeepsOut(element, reach, flags);
    default:
      return false;
  }
}

function assertionKeepsOut(assertion: AST.Assertion, reach: CharSet, flags: AST.Flags): boolean {
  if (assertion.kind === 'start') return !flags.multiline || Chars.lineTerminator(flags).isDisjointWith(reach);
  if (assertion.kind === 'word') {
    const word = Chars.word(flags);
    return !assertion.negate && (reach.isSubsetOf(word) || reach.isDisjointWith(word));
  }
  if (assertion.kind !== 'lookbehind') return false;
  const last = assertion.alternatives.map((each) => each.elements.at(-1));
  if (!assertion.negate) return last.every((element) => element !== undefined && keepsOut(element, reach, flags));
  return last.some(
    (element) => element !== undefined && isOneChar(element) && reach.isSubsetOf(charsIn(element, flags)),
  );
}

function isOneChar(element: AST.Element): boolean {
  return element.type === 'Character' || element.type === 'CharacterSet' || element.type === 'CharacterClass';
}

function canFail(element: AST.Element, reach: CharSet, flags: AST.Flags): boolean {
  if (element.type === 'Assertion' && element.kind === 'end') {
    return !reach.negate().isSubsetOf(flags.multiline ? Chars.lineTerminator(flags) : Chars.empty(flags));
  }
  return !isPotentiallyEmpty(element, flags);
}

/** Every character that may be read inside an element. */
function charsIn(element: AST.Element, flags: AST.Flags): CharSet {
  let chars = Chars.empty(flags);
  const add = (node: AST.Character | AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass) => {
    if (node.parent.type === 'Alternative' || node.parent.type === 'Quantifier') {
      chars = chars.union(toUnicodeSet(node, flags).chars);
    }
  };
  visitRegExpAST(element, {
    onCharacterEnter: add,
    onCharacterSetEnter: add,
    onCharacterClassEnter: add,
    onExpressionCharacterClassEnter: add,
    onBackreferenceEnter: ({ resolved }) => {
      for (const group of [resolved].flat()) chars = chars.union(charsIn(group, flags));
    },
  });
  return chars;
}

function raw(node: AST.Node): string {
  return node.raw;
}
