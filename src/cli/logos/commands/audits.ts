import type { AuditItem } from '../../../client/index.ts';
import { pluralize } from '../../../core/text/pluralize.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { EXIT, Failure } from '../../failure.ts';
import { parseNumber } from '../../input/numbers.ts';
import { readAllPages, withCurrentThread } from '../../threads/reader.ts';
import { auditLines } from '../format.ts';

const PAGE = 100;

export const declare: DeclareCommand = (command) =>
  command
    .argument('[n...]', 'which ones (default: the latest)')
    .option('--all', 'all of them')
    .examples('logos audits', 'logos audits 1 2', 'logos audits --all --json')
    .run(audits);

function audits(cli: Cli, numbers: readonly string[], { all }: { all?: boolean }): Promise<void> {
  const { out } = cli;
  const auditNumbers = numbers.map((text) => parseNumber(text, 'an audit'));
  return withCurrentThread(cli, async ({ exchange }) => {
    const { audits: total } = await exchange.status();
    const unknownAudit = auditNumbers.find((number) => number > total);
    if (unknownAudit !== undefined) {
      const rangePhrase = total === 0 ? 'there is none yet' : `there are 1 to ${total}`;
      throw new Failure('unknown_audit', `There is no audit ${unknownAudit}; ${rangePhrase}.`, EXIT.refused, {
        audit: unknownAudit,
      });
    }
    const readPage = async (before: number | undefined, limit: number) =>
      (await exchange.audits({ before, limit })).audits;
    const rows: AuditItem[] = [];
    for (const number of auditNumbers) rows.push(...(await readPage(number + 1, 1)));
    if (auditNumbers.length === 0 && !all) rows.push(...(await readPage(undefined, 1)));
    if (auditNumbers.length === 0 && all)
      rows.push(
        ...(await readAllPages(
          (before) => readPage(before, PAGE),
          ({ audit }) => audit,
        )),
      );
    if (out.json) return out.value({ audits: rows });
    if (rows.length === 0) return out.note('There is no audit yet. Ask for one: logos audit');
    for (const [i, row] of rows.entries()) {
      if (i > 0) out.line();
      out.lines(auditLines(row, out, out.width, Date.now()));
    }
    if (rows.length < total) out.note(out.colors.dim(`\n${pluralize(total, 'audit')} in all: logos audits --all`));
  });
}
