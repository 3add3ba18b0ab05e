import { withWorkspace } from '../faults/server.ts';
import { startFakeModels } from '../support/models/fake-models.ts';
import { seeded } from '../support/random.ts';
import { freshSchema, startPostgres } from '../support/stores/postgres.ts';
import { checkHonestWork, checkProfiles, createLogCheck } from './checks.ts';
import { longestStall } from './cost.ts';
import { type Delays, startHonestLoad } from './honest.ts';
import { type House, openHouse } from './house.ts';
import { checkKeeping } from './keeping.ts';
import { createReport, type Finding, type Report } from './report.ts';
import { checkSquatters } from './squatters.ts';
import type { Scene, Tactic } from './tactic.ts';
import { tactics } from './tactics.ts';

export type Store = 'sqlite' | 'postgres';

export interface AttackOptions {
  readonly seed: number;
  readonly store: Store;
  /** Goes on round after round until so long after it began; a round is always finished. */
  readonly forMs: number;
  readonly scale: number;
  /** The names of tactics; all of them where none is given. */
  readonly only?: readonly string[];
  onFinding(finding: Finding): void;
  say(progress: string): void;
}

const ALONE_MS = 1_500;

/** Attacks fresh workspaces, one after the other, each with all tactics in an order of its own. */
export async function attack(options: AttackOptions): Promise<readonly Finding[]> {
  const report = createReport(options.onFinding);
  const postgres = options.store === 'postgres' ? await startPostgres() : undefined;
  const end = performance.now() + options.forMs;
  try {
    for (let round = 0; round === 0 || performance.now() < end; round++) {
      const seed = options.seed + round;
      report.begin(seed);
      const database = postgres && freshSchema(postgres.url);
      options.say(`round ${round + 1} on ${options.store}, seed ${seed}`);
      await attackOnce({ ...options, seed, report, lanes: round === 0 ? 1 : 2, ...(database && { database }) });
    }
    return report.list();
  } finally {
    await postgres?.stop();
  }
}

interface Round extends AttackOptions {
  readonly report: Report;
  readonly database?: string;
  /** How many tactics run at once. In the first round one, so that a finding is certainly its own. */
  readonly lanes: number;
}

async function attackOnce(round: Round): Promise<void> {
  const { report, database, say } = round;
  const models = await startFakeModels();
  const options = database ? ['--database', database] : [];
  try {
    await withWorkspace(async (workspace) => {
      const house = await openHouse({ workspace, models, report, ...(database && { database }) });
      const honest = startHonestLoad(house);
      const checkLog = createLogCheck(house);
      await new Promise((resolve) => setTimeout(resolve, ALONE_MS));
      const before = honest.takeDelays();
      const waiting = ordered(round);
      const alone = waiting.filter((tactic) => tactic.alone);
      const together = waiting.filter((tactic) => !tactic.alone);
      const lane = async (queue: Tactic[]) => {
        for (let next = queue.shift(); next; next = queue.shift()) {
          const told = await runTactic(next, house, round, checkLog);
          const stall = await longestStall(house).catch(() => 'not measured');
          say(`${told}; honest messages took ${shown(honest.takeDelays())}; longest stall ${stall}`);
        }
      };
      await lane(alone);
      await Promise.all(Array.from({ length: round.lanes }, () => lane(together)));
      await report.during('checks', async () => {
        await checkHonestWork(house, await honest.stop());
        const events = await checkLog();
        await checkProfiles(house);
        await checkKeeping(house);
        checkComplaints(house, (await house.server()).child.complaint());
        await house.close();
        await checkSquatters(house);
        say(`${events} events; honest messages took ${shown(before)} before the attack`);
      });
    }, options);
  } finally {
    await models.close();
  }
}

async function runTactic(
  tactic: Tactic,
  house: House,
  { seed, scale, report }: Round,
  checkLog: () => Promise<unknown>,
): Promise<string> {
  const { name } = tactic;
  let intruders = 0;
  const scene: Scene = {
    house,
    random: seeded(hash(`${seed} ${name}`)),
    scale,
    intruder: () => house.issue(`mallory-${name}-${++intruders}`, name),
    find: (what, example) => report.add(what, example, name),
  };
  const start = performance.now();
  await report.during(name, async () => {
    try {
      await tactic.run(scene);
    } catch (error) {
      report.add(`the rig itself failed: ${(error as Error).message}`, (error as Error).stack ?? '', name);
    }
    await checkLog();
  });
  return `${name} ${tactic.rules}: ${((performance.now() - start) / 1000).toFixed(1)} s`;
}

/** Whatever goes wrong inside is answered, and never only written to the terminal. */
function checkComplaints({ report }: House, complaint: string): void {
  for (const block of complaint.split(/\n(?=\S)/)) {
    const [line = '', first = ''] = block.split('\n');
    if (line.trim() === '') continue;
    // The same mistake is one finding, whatever it was made with, on one line or with its stack.
    const where = /\s+at (?:new )?([\w.<>]+)/.exec(`${line} ${first}`)?.[1];
    const [what = ''] = line.slice(0, 160).split(' at ');
    const told = where === undefined ? what : `${what.split(':')[0]} in ${where}`;
    report.add(`the server wrote to its terminal: ${told.replace(/\d+/g, 'N')}`, block.slice(0, 600));
  }
}

function ordered({ seed, only }: Round): Tactic[] {
  const random = seeded(hash(`${seed} order`));
  const wanted = tactics.filter(({ name }) => !only || only.includes(name));
  return wanted
    .map((tactic) => ({ tactic, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ tactic }) => tactic);
}

function shown({ count, median, longest }: Delays): string {
  return `${median.toFixed(0)} ms, the longest of ${count} ${longest.toFixed(0)} ms`;
}

function hash(text: string): number {
  let sum = 0x811c9dc5;
  for (const char of text) sum = Math.imul(sum ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return sum >>> 0;
}
