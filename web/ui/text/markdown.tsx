import { createElement, memo, type ReactNode } from 'react';
import { type Block, parseBlocks, type Row } from './blocks.ts';
import type { Inline, Mark } from './inline.ts';
import { visible } from './visible.ts';

const MARK_TAGS: Record<Mark, string> = { strong: 'strong', emphasis: 'em', struck: 's' };

/** A message as its author meant it: only the elements made below can appear, whatever the text says. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  return <div className="prose">{parseBlocks(text).map(block)}</div>;
});

function block(part: Block, key: number): ReactNode {
  switch (part.kind) {
    case 'paragraph':
      return (
        <p key={key} dir="auto">
          {part.children.map(inline)}
        </p>
      );
    case 'heading':
      return createElement(`h${Math.min(6, part.level + 3)}`, { key, dir: 'auto' }, part.children.map(inline));
    case 'code':
      return (
        // A long line scrolls by itself; the keyboard must be able to reach it.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable
        <pre key={key} tabIndex={0}>
          {part.language && <span className="language">{visible(part.language)}</span>}
          <code dir="auto">{visible(part.text)}</code>
        </pre>
      );
    case 'quote':
      return (
        <blockquote key={key} dir="auto">
          {part.blocks.map(block)}
        </blockquote>
      );
    case 'list':
      return list(part, key);
    case 'table':
      return (
        <div key={key} className="table">
          <table>
            <thead>{part.head.map((row, index) => tableRow('th', row, index))}</thead>
            <tbody>{part.rows.map((row, index) => tableRow('td', row, index))}</tbody>
          </table>
        </div>
      );
    case 'rule':
      return <hr key={key} />;
  }
}

function list({ start, items }: Extract<Block, { kind: 'list' }>, key: number): ReactNode {
  const children = items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a parsed text never reorders
    <li key={index} dir="auto">
      {item.length === 1 && item[0]?.kind === 'paragraph' ? item[0].children.map(inline) : item.map(block)}
    </li>
  ));
  if (start === undefined)
    return (
      <ul key={key} dir="auto">
        {children}
      </ul>
    );
  return (
    <ol key={key} start={start} dir="auto">
      {children}
    </ol>
  );
}

function tableRow(tag: 'th' | 'td', row: Row, key: number): ReactNode {
  const cells = row.map((cell, index) => createElement(tag, { key: index, dir: 'auto' }, cell.map(inline)));
  return <tr key={key}>{cells}</tr>;
}

function inline(piece: Inline, key: number): ReactNode {
  if (typeof piece === 'string') return visible(piece);
  switch (piece.kind) {
    case 'break':
      return <br key={key} />;
    case 'code':
      return <code key={key}>{visible(piece.text)}</code>;
    case 'link':
      return (
        <a key={key} href={piece.href} title={visible(piece.href)} target="_blank" rel="noopener noreferrer">
          {piece.children.map(inline)}
        </a>
      );
    default:
      return createElement(MARK_TAGS[piece.kind], { key }, piece.children.map(inline));
  }
}
