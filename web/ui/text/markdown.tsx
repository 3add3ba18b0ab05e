import { createElement, Fragment, memo, type ReactNode, useState } from 'react';
import { useStore } from '../../data/store.ts';
import { type Alignment, type Block, type ListItem, parseBlocks, type TableRow } from './blocks.ts';
import { CodeBlock } from './code-block.tsx';
import { escapeBidi } from './escape-bidi.ts';
import { plainText } from './first-line.ts';
import { showsFormatted } from './formatting.ts';
import { createSplitter } from './growing-text.ts';
import type { Inline, InlineMark } from './inline.ts';
import { TexMath } from './tex-math.tsx';
import './markdown.css';

const MARK_TAGS: Record<InlineMark, string> = { strong: 'strong', emphasis: 'em', struck: 's' };

/** Shows a run of plain text, such as citations in it as links. */
type RenderText = (text: string) => ReactNode;

interface MarkdownProps {
  readonly text: string;
  readonly renderText?: RenderText;
  /** More words will follow: only the block at the end is read again for each of them. */
  readonly isGrowing?: boolean;
}

/** A text rendered from Markdown: only the elements created below can appear, whatever the text says. */
export const Markdown = memo(function Markdown({ text, renderText = escapeBidi, isGrowing = false }: MarkdownProps) {
  const [split] = useState(createSplitter);
  if (!useStore(showsFormatted)) {
    return (
      <div className="prose">
        <p className="as-written" dir="auto">
          {renderText(text)}
        </p>
      </div>
    );
  }
  const parts = isGrowing ? split(text) : [text];
  return (
    <div className="prose">
      {parts.map((part, at) => (
        <Blocks
          // biome-ignore lint/suspicious/noArrayIndexKey: parts are only added
          key={at}
          text={part}
          renderText={renderText}
          isGrowing={isGrowing && at === parts.length - 1}
        />
      ))}
    </div>
  );
});

const Blocks = memo(function Blocks({ text, renderText, isGrowing }: Required<MarkdownProps>) {
  return createRenderer(renderText, isGrowing).blocks(parseBlocks(text));
});

function createRenderer(renderText: RenderText, isGrowing = false) {
  const blocks = (nodes: readonly Block[]) => nodes.map(renderBlock);
  const inlines = (nodes: readonly Inline[]) => nodes.map(renderInline);
  // What is in a link is not a link again.
  const plain = renderText === escapeBidi ? { inlines } : createRenderer(escapeBidi);
  return { blocks, inlines };

  function renderBlock(node: Block, key: number): ReactNode {
    switch (node.kind) {
      case 'paragraph':
        return (
          <p key={key} dir="auto">
            {inlines(node.children)}
          </p>
        );
      case 'heading':
        return createElement(`h${Math.min(6, node.level + 3)}`, { key, dir: 'auto' }, inlines(node.children));
      case 'code':
        return <CodeBlock key={key} language={node.language} text={node.text} isGrowing={isGrowing} />;
      case 'math':
        return <TexMath key={key} text={node.text} display={true} />;
      case 'quote':
        return (
          <blockquote key={key} dir="auto">
            {blocks(node.blocks)}
          </blockquote>
        );
      case 'list':
        return createElement(
          node.start === undefined ? 'ul' : 'ol',
          { key, start: node.start, dir: 'auto', 'data-wide': isWide(node.start, node.items.length) || undefined },
          node.items.map(renderItem),
        );
      case 'table':
        return (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          <div key={key} className="table" tabIndex={0}>
            <table>
              <thead>{node.head.map((row, index) => renderRow('th', row, node.align, index))}</thead>
              <tbody>{node.rows.map((row, index) => renderRow('td', row, node.align, index))}</tbody>
            </table>
          </div>
        );
      case 'rule':
        return <hr key={key} />;
    }
  }

  function renderItem({ isDone, blocks: inside }: ListItem, key: number): ReactNode {
    const [first, ...rest] = inside;
    // The first line of an item stands beside its marker, without the space around a paragraph.
    const children = first?.kind === 'paragraph' ? [...inlines(first.children), ...blocks(rest)] : blocks(inside);
    return (
      <li key={key} dir="auto" className={isDone === undefined ? undefined : 'task'}>
        {isDone !== undefined && (
          <input type="checkbox" checked={isDone} disabled={true} aria-label={isDone ? 'Done' : 'Not done'} />
        )}
        {children}
      </li>
    );
  }

  function renderRow(tag: 'th' | 'td', row: TableRow, align: readonly Alignment[], key: number): ReactNode {
    const cells = row.map((cell, index) =>
      createElement(tag, { key: index, dir: 'auto', 'data-align': align[index] }, inlines(cell)),
    );
    return <tr key={key}>{cells}</tr>;
  }

  function renderInline(node: Inline, key: number): ReactNode {
    if (typeof node === 'string') return <Fragment key={key}>{renderText(node)}</Fragment>;
    switch (node.kind) {
      case 'break':
        return <br key={key} />;
      case 'code':
        return <code key={key}>{escapeBidi(node.text)}</code>;
      case 'math':
        return <TexMath key={key} text={node.text} display={node.display} />;
      case 'link':
        return (
          <OutsideLink
            key={key}
            href={node.href}
            shown={plain.inlines(node.children)}
            text={plainText(node.children)}
          />
        );
      case 'image':
        return (
          <OutsideLink
            key={key}
            href={node.href}
            shown={escapeBidi(`Image: ${node.alt || node.href}`)}
            text={node.alt}
          />
        );
      default:
        return createElement(MARK_TAGS[node.kind], { key }, inlines(node.children));
    }
  }
}

/** Numbers of more than two digits would stand outside the text. */
function isWide(start: number | undefined, count: number): boolean {
  return start !== undefined && start + count > 100;
}

interface OutsideLinkProps {
  readonly href: string;
  readonly shown: ReactNode;
  /** The same without markup. */
  readonly text: string;
}

/** A link whose text is an address, or nothing, cannot lead elsewhere unseen. */
function OutsideLink({ href, shown, text }: OutsideLinkProps) {
  const isMisleading = text.trim() === '' || (/^\s*(?:https?:\/\/|www\.)/i.test(text) && text.trim() !== href);
  return (
    <a href={href} title={escapeBidi(href)} target="_blank" rel="noopener noreferrer">
      {shown}
      {isMisleading && escapeBidi(` (${new URL(href).host})`)}
    </a>
  );
}
