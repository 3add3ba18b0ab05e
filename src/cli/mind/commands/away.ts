import type { AwayDigest } from '../../../client/index.ts';
import { pluralize } from '../../../core/text/pluralize.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { diffLines } from '../../output/diff.ts';
import { withCommandPrefix } from '../../output/hints.ts';
import { sanitize, wrap } from '../../output/text.ts';
import { withCurrentThread, withoutHead } from '../../threads/reader.ts';

export const declare: DeclareCommand = (command) => command.examples('mind away', 'mind away --json').run(away);

/** Shows the different replies to choose from, not every draft (D16). */
function away(cli: Cli): Promise<void> {
  const { out } = cli;
  const { bold, dim } = out.colors;
  return withCurrentThread(cli, async ({ dialogue }) => {
    const view = await dialogue.away();
    if (out.json) return out.value(withoutHead(view));
    if (view.turn === null) return out.note('No message is waiting for an answer.');
    out.line(summarizeAway(view));
    for (const { best, drafts, text, difference } of view.families) {
      const others =
        drafts.length > 1
          ? dim(`, the best of ${drafts.map((index) => `#${index}`).join(', ')}, which say nearly the same`)
          : '';
      out.line(`\n${bold(`#${best}`)}${others}${difference ? dim(`, compared with #${view.last_seen}`) : ''}`);
      const lines = difference ? diffLines(difference, out, out.width - 4) : wrap(sanitize(text), out.width - 4);
      for (const line of lines) out.line(line === '' ? '' : `    ${line}`);
    }
    if (view.older > 0) out.line(dim(withCommandPrefix(`\n… and ${view.older} older ones: mind drafts --all`)));
  });
}

function summarizeAway({ last_seen, iterations, unseen, endorsements, words, families }: AwayDigest): string {
  const since = last_seen === null ? 'since the message' : `since #${last_seen}, the last reply you saw`;
  if (unseen === 0) return `Nothing new ${since}, in ${pluralize(iterations, 'iteration')}.`;
  const parts = [
    pluralize(unseen, 'new draft'),
    families.length > 0 && (families.length === 1 ? '1 different reply' : `${families.length} different replies`),
    endorsements > 0 && `"+1" ${endorsements === 1 ? 'once' : `${endorsements} times`}`,
    ...words.map((word) => `[${sanitize(word)}]`),
  ].filter(Boolean);
  return `${parts.join(', ')} ${since}, in ${pluralize(iterations, 'iteration')}.`;
}
