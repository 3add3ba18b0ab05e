import type { ModelWait } from '../../src/core/runs/schema.ts';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { formatTime } from '../ui/time.tsx';

/** Until when a model is waited for, and why. */
export function modelWaitText({ until, why }: Pick<ModelWait, 'until' | 'why'>): string {
  return `waiting for the model until ${formatTime(new Date(until))}: ${escapeBidi(why)}`;
}
