import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { growthOf } from '../../../test/support/growth.ts';
import { parseBlocks } from './blocks.ts';
import { escapeBidi } from './escape-bidi.ts';
import { firstLine } from './first-line.ts';
import { parseInline } from './inline.ts';
import { Markdown } from './markdown.tsx';

const html = (text: string) =>
  renderToStaticMarkup(<Markdown text={text} />)
    .replace(/^<div class="prose">|<\/div>$/g, '')
    .replaceAll(' dir="auto"', '');

test.each([
  ['plain', '<p>plain</p>'],
  ['one\ntwo\n\nthree', '<p>one<br/>two</p><p>three</p>'],
  [
    '**bold** and *soft* and _soft_ and ~~gone~~',
    '<p><strong>bold</strong> and <em>soft</em> and <em>soft</em> and <s>gone</s></p>',
  ],
  ['***both***', '<p><strong><em>both</em></strong></p>'],
  ['2 * 3 * 4 and snake_case_name', '<p>2 * 3 * 4 and snake_case_name</p>'],
  ['**never closed', '<p>**never closed</p>'],
  ['\\*as it is\\*', '<p>*as it is*</p>'],
  ['`a * b` and ``x ` y``', '<p><code>a * b</code> and <code>x ` y</code></p>'],
  ['# Title\n## Part', '<h4>Title</h4><h5>Part</h5>'],
  ['Title\n===\ntext\n\nPart\n---', '<h4>Title</h4><p>text</p><h5>Part</h5>'],
  ['a<br>b<BR/>c<b>', '<p>a<br/>b<br/>c&lt;b&gt;</p>'],
  ['# Title', '<h4>Title</h4>'],
  ['> quoted\n> *twice*', '<blockquote><p>quoted<br/><em>twice</em></p></blockquote>'],
  ['- a\n- b\n  - c', '<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>'],
  [
    '- [ ] open\n- [x] done',
    '<ul><li class="task"><input type="checkbox" disabled="" aria-label="Not done"/>open</li><li class="task"><input type="checkbox" disabled="" aria-label="Done" checked=""/>done</li></ul>',
  ],
  ['3. three\n4. four', '<ol start="3"><li>three</li><li>four</li></ol>'],
  [
    'a | b\n--|--\n1 | 2',
    '<div class="table" tabindex="0"><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table></div>',
  ],
  [
    '| a | b | c |\n|:--|:-:|--:|\n| 1 | 2 | 3 |',
    '<div class="table" tabindex="0"><table><thead><tr><th data-align="left">a</th><th data-align="center">b</th><th data-align="right">c</th></tr></thead><tbody><tr><td data-align="left">1</td><td data-align="center">2</td><td data-align="right">3</td></tr></tbody></table></div>',
  ],
  ['---', '<hr/>'],
])('[I11] markdown: %j', (text, expected) => {
  expect(html(text)).toBe(expected);
});

test.each([
  ['it is $x^2$ here', [{ kind: 'math', text: 'x^2', display: false }]],
  [
    '\\(a+b\\) and $$c$$',
    [
      { kind: 'math', text: 'a+b', display: false },
      { kind: 'math', text: 'c', display: true },
    ],
  ],
  ['it costs $5, or $6 with tea', []],
  ['cp $SRC/$DST', []],
  ['"$foo"/"$bar"', []],
  ['$ alone, and $5', []],
])('[I20] maths in a line: %j', (text, expected) => {
  const found = parseInline(text).filter((node) => typeof node !== 'string' && node.kind === 'math');
  expect(found).toEqual(expected);
});

test.each([
  ['$$\na = b\n$$', 'a = b'],
  ['$$a = b$$', 'a = b'],
  ['\\[\na\n= b\n\\]', 'a\n= b'],
])('[I20] maths on lines of its own: %j', (text, expected) => {
  expect(parseBlocks(text)).toEqual([{ kind: 'math', text: expected }]);
});

test('[I20] maths that is never closed, or a bracket that is only written so, stays text', () => {
  for (const text of ['$$ never closed', '\\[not maths\\] but brackets']) {
    expect(parseBlocks(text)[0]?.kind).toBe('paragraph');
  }
});

test('[I20] code is shown with its language and Copy, and never as anything but text', () => {
  const made = html('```ts\nlet a = 1 < 2;\n```\nafter');
  expect(made).toContain('<code>let a = 1 &lt; 2;</code>');
  expect(made).toContain('>ts<');
  expect(made).toContain('Copy</button>');
  expect(html('```\nnever closed')).toContain('<code>never closed</code>');
});

test('[I20] lines to fill in and masks are kept', () => {
  expect(html('Name: ____ pass ******** end ~~~~ x')).toBe('<p>Name: ____ pass ******** end ~~~~ x</p>');
});

test('[I20] tabs in code are kept, for what is copied too', () => {
  expect(parseBlocks('```make\nall:\n\techo\n```')).toEqual([{ kind: 'code', language: 'make', text: 'all:\n\techo' }]);
});

test('[I20] a bar at the end of a row may be part of the last cell', () => {
  expect(html('a | b\n--|--\n1 | 2 \\|')).toContain('<td>2 |</td>');
});

test.each([
  ['[https://bank.example/login](https://evil.example/)', '>https://bank.example/login (evil.example)</a>'],
  ['[ ](https://evil.example/)', '>  (evil.example)</a>'],
  ['[here](https://a.example/)', '>here</a>'],
  ['https://a.example/', '>https://a.example/</a>'],
])('[I20] the text of a link cannot hide where it leads: %j', (text, expected) => {
  expect(html(text)).toContain(expected);
});

test('[I20] numbers of many digits stay in the box', () => {
  expect(html('999999999. a')).toContain('data-wide="true"');
});

test('[I20] a picture elsewhere is a link, and never fetched', () => {
  expect(html('![a cat](https://a.example/x.png "Cat")')).toBe(
    '<p><a href="https://a.example/x.png" title="https://a.example/x.png" target="_blank" rel="noopener noreferrer">Image: a cat</a></p>',
  );
});

test('[I11] a link leads to http and https only, in a new tab, without a way back', () => {
  expect(html('[here](https://a.example/x_(y))')).toBe(
    '<p><a href="https://a.example/x_(y)" title="https://a.example/x_(y)" target="_blank" rel="noopener noreferrer">here</a></p>',
  );
  expect(html('see https://a.example/b. Or')).toContain('>https://a.example/b</a>. Or');
});

test.each([
  '[x](javascript:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](vbscript:x)',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '![x](https://a.example/x.png)',
  '<a href="javascript:alert(1)">x</a>',
  '[x](https://a.example/" onmouseover="alert(1))',
  'https://a.example/"onmouseover="alert(1)',
  '<svg/onload=alert(1)>',
  '<style>*{display:none}</style>',
])('[I11] hostile text stays text: %j', (text) => {
  const made = html(text);
  expect(made).not.toMatch(/<(script|img|svg|style|iframe)/i);
  expect(made).not.toMatch(/href="(?!https?:)/i);
  expect(made).not.toMatch(/<[^>]*\son\w+=/i);
});

test('[I11] what reorders text unseen is spelled out', () => {
  expect(html('a\u202eb\u2066c')).toBe('<p>a[RLO]b[LRI]c</p>');
  expect(html('`x\u202ey`')).toBe('<p><code>x[RLO]y</code></p>');
  expect(escapeBidi('\u200fשלום')).toBe('[RLM]שלום');
  expect(firstLine('**\u202ea**\nb')).toBe('[RLO]a');
});

test('[I11] any text at all is shown, whole, and by allowed elements only', () => {
  const signs = fc.constantFrom(
    '*',
    '_',
    '~',
    '`',
    '[',
    ']',
    '(',
    ')',
    '>',
    '- ',
    '1. ',
    '\n',
    ' ',
    '#',
    '|',
    '\\',
    'h',
    'https://',
    '<b>',
    'a',
    'ש',
    '```',
    '$',
    '$$',
    '\\[',
    '![',
    '- [ ] ',
    '<br>',
    '===',
  );
  const allowed =
    /<(?!\/?(?:p|br|strong|em|s|code|pre|a|ul|ol|li|blockquote|h[456]|hr|div|span|table|thead|tbody|tr|th|td|input|header|button|svg|rect|path)[ />])/;
  fc.assert(
    fc.property(fc.array(signs, { maxLength: 60 }), (parts) => {
      const text = parts.join('');
      const made = html(text);
      expect(made).not.toMatch(allowed);
      const letters = (from: string) => from.replace(/[^aש]/g, '').length;
      // The words of the page itself, around code and pictures.
      const shown = made.replaceAll('>Image: ', '>').replace(/<[^>]*>/g, '');
      expect(letters(shown)).toBe(letters(text));
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['opened links', '[a'.repeat(100_000)],
  ['opened marks', '*a'.repeat(100_000)],
  ['runs of backticks', Array.from({ length: 700 }, (_, i) => '`'.repeat(i + 1)).join(' ')],
  ['fences', '```\nx\n```\n'.repeat(30_000)],
  ['quotes', `${'>'.repeat(100_000)} a`],
  ['nested lists', Array.from({ length: 2_000 }, (_, i) => `${' '.repeat(i)}- a`).join('\n')],
  ['addresses', 'https://a.example/(('.repeat(20_000)],
  ['opened maths', '$a '.repeat(100_000)],
  ['opened blocks of maths', '\\[\n'.repeat(100_000)],
  ['maths closed in the middle', `${'\\[\n\n'.repeat(100_000)}\\] x`],
  ['maths closed otherwise', `${'\\[\n\n'.repeat(100_000)}$$`],
  ['pictures', '![a]('.repeat(50_000)],
  ['table cells', `${'|'.repeat(50_000)}\n${'-|'.repeat(50_000)}\n`],
])('[I11] %s without end take no longer than a long text', (_, text) => {
  const start = performance.now();
  parseBlocks(text);
  expect(performance.now() - start).toBeLessThan(5_000);
});

test('[I20] a text of 1 MB is drawn in time that grows with its length and no faster', () => {
  const part = [
    '## A heading',
    'Words with *emphasis*, `code`, a [link](https://example.org) and $x^2$.',
    '- one\n- [x] two\n  - three',
    '| a | b |\n|---|---|\n| 1 | 2 |',
    '```ts\nconst answer = 42;\n```',
    '> quoted\n> more',
  ].join('\n\n');
  const draw = (size: number) => {
    const text = `${part}\n\n`.repeat(Math.ceil(size / part.length));
    return () => void renderToStaticMarkup(<Markdown text={text} />);
  };
  expect(growthOf(draw, 65_536)).toBeLessThan(1.4);
});
