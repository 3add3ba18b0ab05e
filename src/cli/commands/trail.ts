import type { WireTrail } from '../../client/index.ts';
import { originNoun } from '../../core/text/origin-noun.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { THREAD_HELP } from '../input/thread-help.ts';
import { oneLine } from '../output/text.ts';
import { withThread } from '../threads/find.ts';

export const declare: DeclareCommand = (command) =>
  command.argument('<thread>', THREAD_HELP).examples('heddle trail Garden', 'heddle trail Garden --json').run(trail);

async function trail(cli: Cli, name: string): Promise<void> {
  const { out } = cli;
  const result = await withThread(cli, name, (thread) => thread.trail());
  if (out.json) return out.value(result);
  const titles = new Map(result.threads.map(({ id, title, kind }) => [id, `“${oneLine(title)}” (${kind})`]));
  if (result.steps.length === 0) {
    return out.line(`${titles.get(result.threads[0]?.id ?? '')} has no related items.`);
  }
  for (const step of result.steps) {
    const [from, to] = step.between;
    out.line(
      `${titles.get(to)} ${STEP_PHRASES[step.how]}${step.what ? ` ${oneLine(originNoun(step.what))} in` : ''} ${titles.get(from)}`,
    );
    out.line(out.colors.dim(oneLine(`  ${step.from} → ${step.to}`)));
  }
  if (result.more) out.note('The list is longer than shown here.');
}

const STEP_PHRASES: Readonly<Record<WireTrail['steps'][number]['how'], string>> = {
  opened: 'was opened from',
  brought: 'was sent',
  forked: 'is a fork of',
  side: 'is a side channel of',
};
