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

function renderMath(renderToString: RenderToString, text: string, displayMode: boolean): ReactNode {
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
  'math mrow mi mn mo mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover mtable mtr mtd mstyle mpadded mphantom menclose'.split(
    ' ',
  ),
);
const ATTRIBUTES = new Set(
  'display displaystyle scriptlevel mathvariant stretchy fence separator form lspace rspace minsize maxsize symmetric accent accentunder linethickness width height depth columnalign rowspacing columnspacing notation movablelimits'.split(
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
