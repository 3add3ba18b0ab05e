/**
 * How the time of some work grows with its input: 1 when it doubles with it, 2 when it quadruples. Each size by the
 * least of several short measurements, which a busy machine can only make larger.
 */
export function growthOf(work: (size: number) => () => void, small: number, factor = 16): number {
  const [runLess, runMore] = [work(small), work(small * factor)];
  let [less, more] = [costOf(runLess), costOf(runMore)];
  const exponent = () => Math.log(more / less) / Math.log(factor);
  for (let i = 0; i < MEASUREMENTS && exponent() > ENOUGH; i++) {
    less = Math.min(less, costOf(runLess));
    more = Math.min(more, costOf(runMore));
  }
  return exponent();
}

/** Of one run, from as many as a clock can see. */
export function costOf(run: () => void, atLeastMs = 2): number {
  for (let times = 1; ; times *= 4) {
    const before = performance.now();
    for (let i = 0; i < times; i++) run();
    const spentMs = performance.now() - before;
    if (spentMs >= atLeastMs) return spentMs / times;
  }
}

const MEASUREMENTS = 12;
const ENOUGH = 1.2;
