/** Something that must not happen and did, once however often it did. */
export interface Finding {
  readonly tactic: string;
  /** Of the round it was found in. */
  readonly seed: number;
  /** One sentence. */
  readonly what: string;
  /** The request, answer or event it was first seen with. */
  readonly example: string;
  times: number;
}

export type Report = ReturnType<typeof createReport>;

const LONGEST_EXAMPLE = 600;

/** Collects findings; alike ones count as one. */
export function createReport(onFinding: (finding: Finding) => void = () => {}) {
  const findings = new Map<string, Finding>();
  const active: string[] = [];
  let seed = 0;

  /** Without a tactic, whatever is running now gets the blame. */
  function add(what: string, example: unknown = '', tactic: string = active.join(' + ') || 'checks'): void {
    const known = findings.get(`${tactic} ${what}`);
    if (known) {
      known.times++;
      return;
    }
    const finding: Finding = { tactic, seed, what, example: shorten(example), times: 1 };
    findings.set(`${tactic} ${what}`, finding);
    onFinding(finding);
  }

  async function during<T>(tactic: string, work: () => Promise<T>): Promise<T> {
    active.push(tactic);
    try {
      return await work();
    } finally {
      active.splice(active.indexOf(tactic), 1);
    }
  }

  /** Findings from now on belong to the round of this seed. */
  function begin(roundSeed: number): void {
    seed = roundSeed;
  }

  return { add, begin, during, list: (): readonly Finding[] => [...findings.values()] };
}

export function shorten(value: unknown, limit = LONGEST_EXAMPLE): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  if (text.length <= limit) return text;
  return `${text.slice(0, limit / 2)}… (${text.length} characters) …${text.slice(-limit / 4)}`;
}
