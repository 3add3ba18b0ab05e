/**
 * How the CPU time of some work grows with its input: 1 when it doubles with it, 2 when it quadruples. The least of
 * several measurements, which a busy machine can only make larger.
 */
export function growthOf(work: (size: number) => () => void, small: number, factor = 16): number {
  const [less, more] = [work(small), work(small * factor)];
  let exponent = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 4 && exponent > ENOUGH; i++) {
    exponent = Math.min(exponent, Math.log(costOf(more) / costOf(less)) / Math.log(factor));
  }
  return exponent;
}

/** Of one run, from as many as a clock can see. Of this thread alone: others of the process collect garbage and compile. */
export function costOf(run: () => void, atLeastMs = 2): number {
  for (let times = 1; ; times *= 4) {
    const before = process.threadCpuUsage();
    for (let i = 0; i < times; i++) run();
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= atLeastMs * 1000) return (user + system) / times;
  }
}

const ENOUGH = 1.2;
