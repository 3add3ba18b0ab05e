import type { Fault } from './fault.ts';
import { processes } from './processes.ts';

export const faults: readonly Fault[] = [processes];
