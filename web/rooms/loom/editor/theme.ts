import { EditorView } from '@codemirror/view';

const LINE_STYLES = ['solid', 'dotted', 'dashed', 'double', 'wavy', 'solid', 'dotted', 'dashed'];

/** Each hue also has its own underline style, fainter than the letters, for people who cannot see the colour. */
const hues = Object.fromEntries(
  LINE_STYLES.map((style, hue) => [
    `.by.hue-${hue}`,
    {
      color: `var(--hue-${hue})`,
      textDecoration: `underline ${style} ${hue > 4 ? '2px' : '1px'} color-mix(in srgb, var(--hue-${hue}) 45%, transparent)`,
    },
  ]),
);

export const editorTheme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', outline: 'none !important' },
  '.cm-scroller': {
    fontFamily: 'var(--serif)',
    fontSize: '18px',
    lineHeight: '28px',
    overflowX: 'hidden',
    overflowY: 'auto',
    display: 'block !important',
    scrollbarWidth: 'thin',
    scrollbarColor: 'var(--line) transparent',
  },
  '.cm-content': {
    boxSizing: 'border-box',
    maxWidth: 'calc(68ch + 2 * var(--margin))',
    minHeight: '100%',
    margin: '0 auto',
    padding: '24px var(--margin) 40vh',
    caretColor: 'var(--ink)',
    overflowWrap: 'anywhere',
  },
  '.cm-line': { padding: '0' },
  '.cm-cursor': { borderLeft: '2px solid var(--ink)', marginLeft: '-1px' },
  '.cm-placeholder': { color: 'var(--soft)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    background: 'var(--chosen) !important',
  },
  '.by': { textUnderlineOffset: '5px', textDecorationSkipInk: 'none' },
  ...hues,
  '.edge': { boxShadow: '-1px 0 0 color-mix(in srgb, var(--soft) 40%, transparent)' },
  '&.shows-edges .edge, .edge.crossed': { boxShadow: '-1px 0 0 var(--soft)' },

  '.marks': { position: 'absolute', top: '0', left: '0', width: '0', height: '0', font: '12px/20px var(--sans)' },
  '.marks button': {
    position: 'absolute',
    border: '0',
    padding: '0 6px',
    background: 'var(--paper)',
    color: 'var(--soft)',
    font: 'inherit',
    fontVariantNumeric: 'tabular-nums',
    whiteSpace: 'nowrap',
    cursor: 'pointer',
    touchAction: 'none',
    transform: 'translateX(-100%)',
  },
  '.marks button:hover, .marks button:focus-visible': { color: 'var(--ink)', background: 'var(--shade)' },
  '.marks button:focus-visible': { outline: '2px solid var(--ink)' },
  '.marks .branch': { fontWeight: '600' },
  '.marks .version': { fontStyle: 'italic' },
  '.marks .offered': { color: 'var(--accent)' },
  '.marks .rule': { position: 'absolute', borderLeft: '1px dotted var(--soft)' },
  '.stale': { background: 'color-mix(in srgb, var(--ink) 6%, transparent)' },
  '.window-line': {
    display: 'block',
    margin: '6px 0',
    borderTop: '1px dashed var(--soft)',
    color: 'var(--soft)',
    font: '12px/20px var(--sans)',
    userSelect: 'none',
  },
  '.window-line::before': { content: 'attr(data-words)' },
  '.far': { position: 'relative', borderLeft: '2px solid currentColor', marginLeft: '-1px', marginRight: '-1px' },
  '.far::after': {
    content: 'attr(data-name)',
    position: 'absolute',
    top: '-14px',
    left: '-2px',
    padding: '0 4px',
    background: 'var(--paper)',
    border: '1px solid currentColor',
    font: '10px/12px var(--sans)',
    whiteSpace: 'nowrap',
    pointerEvents: 'none',
  },
});
