import { heddle } from './heddle.ts';
import { logos } from './logos.ts';
import { mind } from './mind.ts';
import type { Program } from './program.ts';

/** The terminal's registry: the program under all its names. */
export const programs: readonly [Program, ...Program[]] = [heddle, mind, logos];
