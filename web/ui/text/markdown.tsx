import { createElement, memo, type ReactNode } from 'react';
import { type Block, parseBlocks, type TableRow } from './blocks.ts';
import { escapeBidi } from './escape-bidi.ts';
import type { Inline, InlineMark } from './inline.ts';

const MARK_TAGS: Record<InlineMark, string> = { strong: 'strong', emphasis: 'em', struck: 's' };

/** A message rendered from Markdown: only the elements created below can appear, whatever the text says. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  return <div className="prose">{parseBlocks(text).map(renderBlock)}</div>;
});

function renderBlock(node: Block, key: number): ReactNode {
  switch (node.kind) {
    case 'paragraph':
      return (
        <p key={key} dir="auto">
          {node.children.map(renderInline)}
        </p>
      );
    case 'heading':
      return createElement(`h${Math.min(6, node.level + 3)}`, { key, dir: 'auto' }, node.children.map(renderInline));
    case 'code':
      return (
        // A long line scrolls on its own; the keyboard must be able to reach it.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable
        <pre key={key} tabIndex={0}>
          {node.language && <span className="language">{escapeBidi(node.language)}</span>}
          <code dir="auto">{escapeBidi(node.text)}</code>
        </pre>
      );
    case 'quote':
      return (
        <blockquote key={key} dir="auto">
          {node.blocks.map(renderBlock)}
        </blockquote>
      );
    case 'list':
      return renderList(node, key);
    case 'table':
      return (
        <div key={key} className="table">
          <table>
            <thead>{node.head.map((row, index) => renderRow('th', row, index))}</thead>
            <tbody>{node.rows.map((row, index) => renderRow('td', row, index))}</tbody>
          </table>
        </div>
      );
    case 'rule':
      return <hr key={key} />;
  }
}

function renderList({ start, items }: Extract<Block, { kind: 'list' }>, key: number): ReactNode {
  const children = items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a parsed text never reorders
    <li key={index} dir="auto">
      {item.length === 1 && item[0]?.kind === 'paragraph' ? item[0].children.map(renderInline) : item.map(renderBlock)}
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

function renderRow(tag: 'th' | 'td', row: TableRow, key: number): ReactNode {
  const cells = row.map((cell, index) => createElement(tag, { key: index, dir: 'auto' }, cell.map(renderInline)));
  return <tr key={key}>{cells}</tr>;
}

function renderInline(node: Inline, key: number): ReactNode {
  if (typeof node === 'string') return escapeBidi(node);
  switch (node.kind) {
    case 'break':
      return <br key={key} />;
    case 'code':
      return <code key={key}>{escapeBidi(node.text)}</code>;
    case 'link':
      return (
        <a key={key} href={node.href} title={escapeBidi(node.href)} target="_blank" rel="noopener noreferrer">
          {node.children.map(renderInline)}
        </a>
      );
    default:
      return createElement(MARK_TAGS[node.kind], { key }, node.children.map(renderInline));
  }
}
