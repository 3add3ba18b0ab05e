import {
  Bird,
  Compass,
  Feather,
  Flower2,
  Leaf,
  Moon,
  Mountain,
  Shell,
  Sprout,
  Sun,
  TreePine,
  Waves,
} from 'lucide-react';
import type { Icon } from '../icon.tsx';
import { HUES, hashOf } from './hue.ts';

const GLYPHS: readonly Icon[] = [
  Leaf,
  Feather,
  Compass,
  Sprout,
  Mountain,
  Shell,
  Sun,
  Moon,
  Bird,
  Waves,
  TreePine,
  Flower2,
];

/** The glyph of a model: the same wherever it appears. */
export function glyphOf(id: string): Icon {
  return GLYPHS[Math.floor(hashOf(id) / HUES) % GLYPHS.length] as Icon;
}

/** "MO" for Maya Okafor, "A" for ana. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s_.-]+/u).filter(Boolean);
  const [first, last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return [first, last].map((word) => firstLetter(word ?? '')).join('') || '?';
}

/** What a reader sees as one letter, though it may be several code points. */
function firstLetter(word: string): string {
  const [letter] = new Intl.Segmenter().segment(word);
  return letter?.segment.toLocaleUpperCase() ?? '';
}
