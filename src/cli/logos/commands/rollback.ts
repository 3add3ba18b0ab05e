import type { DeclareCommand } from '../../command.ts';
import { send, switchToResult } from '../../threads/send.ts';
import { parseRound, parseTerms, readNewestTerms } from '../input.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('<round>', 'the round to go back to; 0 is the beginning')
    .argument('[terms...]', 'key=value: its own terms')
    .option('--title <text>', 'the title of the branch')
    .option('--reason <text>', 'why')
    .examples('logos rollback 12', 'logos rollback 0 audit_every=5 --reason "Once more."')
    .footnote('Nothing is lost: this starts a branch, which becomes the current exchange.')
    .run(async (cli, roundText: string, pairs: string[], { title, reason }: { title?: string; reason?: string }) => {
      const round = parseRound(roundText);
      const set = parseTerms(pairs, await readNewestTerms(cli));
      switchToResult(cli, await send(cli, 'rollback', { round, title, reason, set }));
    });
