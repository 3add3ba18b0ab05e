import type { AuditRow } from '../../../core/exchange/view/view.ts';
import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { EXIT, Failure } from '../../failure.ts';
import { counted, numberIn } from '../../output/numbers.ts';
import { allOf } from '../../threads/views.ts';
import { auditLines } from '../format.ts';
import { withExchangeViews } from '../views.ts';

const PAGE = 100;

export const declare: Declare = (command, start) =>
  command
    .argument('[n...]', 'which ones (default: the latest)')
    .option('--all', 'all of them')
    .addHelpText('after', examples('logos audits', 'logos audits 1 2', 'logos audits --all --json'))
    .action((numbers: string[], { all }: { all?: boolean }) => audits(start(), numbers, all === true));

function audits(cli: Cli, numbers: readonly string[], all: boolean): Promise<void> {
  const { out } = cli;
  const only = numbers.map((text) => numberIn(text, 'an audit'));
  return withExchangeViews(cli, async (views) => {
    const { audits: length } = await views.status();
    const unknown = only.find((number) => number > length);
    if (unknown !== undefined) {
      const there = length === 0 ? 'there is none yet' : `there are 1 to ${length}`;
      throw new Failure('unknown_audit', `There is no audit ${unknown}; ${there}.`, EXIT.refused, { audit: unknown });
    }
    const page = async (before: number | undefined, limit: number) =>
      (await views.audits({ ...(before !== undefined && { before }), limit })).audits;
    const rows: AuditRow[] = [];
    for (const number of only) rows.push(...(await page(number + 1, 1)));
    if (only.length === 0 && !all) rows.push(...(await page(undefined, 1)));
    if (only.length === 0 && all)
      rows.push(
        ...(await allOf(
          (before) => page(before, PAGE),
          ({ audit }) => audit,
        )),
      );
    if (out.json) return out.value({ audits: rows });
    if (rows.length === 0) return out.note('There is no audit yet. Have one written: logos audit');
    for (const [i, row] of rows.entries()) {
      if (i > 0) out.line();
      for (const line of auditLines(row, out, out.width, Date.now())) out.line(line);
    }
    if (rows.length < length) out.note(out.colors.dim(`\n${counted(length, 'audit')} in all: logos audits --all`));
  });
}
