import { createElement, type ReactNode, useEffect, useState } from 'react';
import { escapeBidi } from './escape-bidi.ts';
import styles from './tex-math.module.css';

interface TexMathProps {
  readonly text: string;
  readonly display: boolean;
}

/** TeX as MathML, which browsers set by themselves. The source is shown until it is ready, and where it is wrong. */
export function TexMath({ text, display }: TexMathProps) {
  const [math, setMath] = useState<ReactNode>();
  useEffect(() => {
    let isCurrent = true;
    void import('temml').then(({ default: temml }) => {
      if (isCurrent) setMath(renderMath(temml.renderToString, text, display));
    });
    return () => {
      isCurrent = false;
    };
  }, [text, display]);
  const source = <code>{escapeBidi(text)}</code>;
  return createElement(display ? 'div' : 'span', { className: display ? styles.display : undefined }, math ?? source);
}

type RenderToString = (tex: string, options: object) => string;

const MAX_LENGTH = 2000;
const MAX_DEPTH = 50;
/** They hide what they are given, or mean something only with a style, which the page does not take over. */
const UNSHOWABLE =
  /\\(?:[bx]?cancel|sout|boxed|fbox|[a-z]*color[a-z]*|[hv]?phantom|smash|[clr]lap|math[clr]lap|hline|cline)(?![a-z])/;

function isShowable(text: string): boolean {
  let [depth, deepest] = [0, 0];
  for (const char of text) {
    if (char === '{') deepest = Math.max(deepest, ++depth);
    else if (char === '}') depth--;
  }
  return text.length <= MAX_LENGTH && deepest <= MAX_DEPTH && !UNSHOWABLE.test(text);
}

function renderMath(renderToString: RenderToString, text: string, displayMode: boolean): ReactNode {
  if (!isShowable(text)) return undefined;
  try {
    const options = { displayMode, throwOnError: true, trust: false, maxExpand: 500, maxSize: [10, 40] };
    // The page's policy forbids styles in markup, and would say so on the console for each.
    const source = renderToString(text, options).replaceAll(/ style="[^"]*"/g, '');
    const root = new DOMParser().parseFromString(source, 'text/html').body.firstElementChild;
    return root && toElement(root, 0);
  } catch {
    return undefined; // Not TeX that it knows.
  }
}

const TAGS = new Set(
  'math mrow mi mn mo mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover mtable mtr mtd mstyle mpadded'.split(
    ' ',
  ),
);
const ATTRIBUTES = new Set(
  'display displaystyle scriptlevel mathvariant stretchy fence separator form lspace rspace minsize maxsize symmetric accent accentunder linethickness columnalign rowspacing columnspacing movablelimits'.split(
    ' ',
  ),
);

/** Only elements and attributes of mathematics are taken over: no links, styles or anything that acts. */
function toElement(element: Element, key: number): ReactNode {
  const name = element.localName;
  if (name === 'semantics') return element.firstElementChild && toElement(element.firstElementChild, key);
  if (!TAGS.has(name)) return escapeBidi(element.textContent ?? '');
  const attributes = Object.fromEntries(
    [...element.attributes].filter((each) => ATTRIBUTES.has(each.name)).map((each) => [each.name, each.value]),
  );
  const children = [...element.childNodes].map((child, index) =>
    child instanceof Element ? toElement(child, index) : escapeBidi(child.textContent ?? ''),
  );
  return createElement(name, { ...attributes, key }, ...children);
}
