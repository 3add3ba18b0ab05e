import { expect, test } from 'vitest';
import type { WireEvent } from '../../../src/client/index.ts';
import type { GrowingText } from '../../data/live-texts.ts';
import { liveParts, spokenCallOf } from './progress.ts';

const writes = (from: string, text: string, purpose = 'mind') =>
  ({ from, purpose, text, start: 0, since: 5 }) as unknown as GrowingText;
const spoke = (from: string, round: number, ...thoughts: string[]) =>
  spokenCallOf({
    type: 'mind.spoke',
    from,
    id: `${from} ${round}`,
    content: { round, thoughts, outcome: 'thoughts' },
  } as unknown as WireEvent) ?? [];

test('[M12] the round under way has what minds have said and what they write, in the order of the minds', () => {
  const spoken = [spoke('b', 3, 'Said.'), spoke('a', 2, 'Of the round before.')].flat();
  const texts = [writes('c', 'thoughts:\n- One\n- Tw'), writes('a', 'Plain pro'), writes('auditor', 'x', 'auditor')];
  expect(liveParts(['a', 'b', 'c', 'd'], 3, spoken, texts)).toMatchObject([
    { mind: 'a', writing: { texts: ['Plain pro'], since: 5 } },
    { mind: 'b', call: { texts: ['Said.'] } },
    { mind: 'c', writing: { texts: ['One', 'Tw'] } },
  ]);
});

test('[M12] other events are not calls of minds', () => {
  expect(spokenCallOf({ type: 'round.ended', content: {} } as unknown as WireEvent)).toBeUndefined();
});
