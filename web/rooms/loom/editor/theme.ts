import { EditorView } from '@codemirror/view';

const hues = Object.fromEntries(
  Array.from({ length: 8 }, (_, hue) => [
    `.hue-${hue}`,
    { '--hue': `var(--hue-${hue})`, '--tint': `var(--hue-${hue}-tint)` },
  ]),
);

/** How surprising a token was, from 0 to 6. */
export const HEAT_LEVELS = 6;
const heats = Object.fromEntries(
  Array.from({ length: HEAT_LEVELS + 1 }, (_, level) => [
    `.heat-${level}`,
    { background: `color-mix(in srgb, var(--hue) ${2 + level * 8}%, transparent)` },
  ]),
);

/** The page: one column of prose, who wrote it in the margin, and a faint tint behind what models wrote. */
export const editorTheme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', outline: 'none !important' },
  '.cm-scroller': {
    fontFamily: 'var(--serif)',
    fontSize: 'var(--prose-size)',
    lineHeight: '29px',
    overflowX: 'hidden',
    overflowY: 'auto',
    display: 'block !important',
    scrollbarWidth: 'thin',
    scrollbarColor: 'var(--control-line) transparent',
  },
  '.cm-content': {
    boxSizing: 'border-box',
    maxWidth: 'calc(var(--measure) + var(--margin-start) + var(--margin-end))',
    minHeight: '0',
    margin: '0 auto',
    padding: 'var(--s6) var(--margin-end) var(--s1) var(--margin-start)',
    caretColor: 'var(--ink)',
    overflowWrap: 'anywhere',
    touchAction: 'pan-y',
  },
  '.cm-line': { padding: '0' },
  '.cm-cursor': { borderLeft: '2px solid var(--caret)', marginLeft: '-1px' },
  '.cm-placeholder': { color: 'var(--ink-faint)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--ink) 14%, transparent) !important',
  },
  ...hues,
  '.by': { padding: '3px 0', background: 'color-mix(in srgb, var(--tint) 60%, var(--paper))' },
  '&.authors .by, &.authors .person': { background: 'var(--tint)', color: 'var(--hue)' },
  '.stale': {
    backgroundImage:
      'linear-gradient(color-mix(in srgb, var(--ink) 6%, transparent), color-mix(in srgb, var(--ink) 6%, transparent))',
  },
  '.edge': { boxShadow: '-1px 0 0 color-mix(in srgb, var(--ink) 16%, transparent)' },
  '&.authors .edge, .edge.crossed': { boxShadow: '-1px 0 0 var(--ink-faint)' },

  '&.probabilities .cm-line': { color: 'var(--ink-faint)' },
  '&.probabilities .by': { background: 'none' },
  '.tok': { padding: '2px 0', borderRadius: '3px', color: 'var(--ink)', cursor: 'pointer' },
  ...heats,
  '.tok:hover': { boxShadow: '0 0 0 1px var(--ink-faint)' },
  '.tok.marked': { boxShadow: '0 0 0 2px var(--ink)' },

  '.marks': { position: 'absolute', top: '0', left: '0', width: '0', height: '0', font: 'var(--text-label)' },
  '.marks > *': { position: 'absolute' },
  '.stripe': { width: '3px', borderRadius: '2px', background: 'var(--hue)', pointerEvents: 'none' },
  '.stripe.own': { opacity: '.38' },
  '&.authors .stripe': { width: '5px', marginLeft: '-2px', opacity: '1' },
  '.tick': { width: 'var(--tick)', borderTop: '2px solid var(--control-line)', pointerEvents: 'none' },
  '&.authors .tick': { borderColor: 'var(--ink-faint)' },
  '.marks button': {
    height: '32px',
    minWidth: '24px',
    border: '0',
    borderRadius: 'var(--radius)',
    padding: '0 6px',
    background: 'none',
    color: 'var(--ink-faint)',
    font: 'inherit',
    fontVariantNumeric: 'tabular-nums',
    whiteSpace: 'nowrap',
    cursor: 'pointer',
    touchAction: 'none',
    transform: 'translateX(-100%)',
  },
  '.marks button:hover, .marks button:focus-visible': { color: 'var(--ink)', background: 'var(--hover)' },
  '.marks button:focus-visible': { outline: '2px solid var(--focus)' },
  '.marks .version': { fontStyle: 'italic' },
  '.marks .offered': { color: 'var(--accent)' },
  // Too narrow for a target: on a phone the paragraph itself is swiped.
  '.marks button:empty': { pointerEvents: 'none' },
  '.window-line': {
    display: 'block',
    margin: '6px 0',
    borderTop: '1px dashed var(--ink-faint)',
    color: 'var(--ink-faint)',
    font: '12px/20px var(--sans)',
    userSelect: 'none',
  },
  '.window-line::before': { content: 'attr(data-words)' },
  '.far': { position: 'relative', borderLeft: '2px solid currentColor', marginLeft: '-1px', marginRight: '-1px' },
  '.far::after': {
    content: 'attr(data-name)',
    position: 'absolute',
    top: '-16px',
    left: '-2px',
    padding: '0 4px',
    borderRadius: '3px 3px 3px 0',
    background: 'currentColor',
    font: '500 11px/16px var(--sans)',
    whiteSpace: 'nowrap',
    pointerEvents: 'none',
    WebkitTextFillColor: 'var(--on-hue)',
  },
  '@media print': { '.marks button, .cm-cursorLayer': { display: 'none' } },
});
