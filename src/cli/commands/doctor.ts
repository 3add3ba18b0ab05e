import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { type DoctorFinding, examine } from '../doctor/checks.ts';
import { EXIT } from '../failure.ts';
import { withCommandPrefix } from '../output/hints.ts';
import { sanitize, wrap } from '../output/text.ts';

export const declare: DeclareCommand = (command) =>
  command
    .examples('heddle doctor', 'heddle --workspace ~/other doctor', 'heddle doctor --json')
    .footnote('Each line is ok, warn or fail, with what to do. The exit code is 1 if anything fails.')
    .run(doctor);

async function doctor(cli: Cli): Promise<void> {
  const { out } = cli;
  const findings: DoctorFinding[] = [];
  for await (const finding of examine(cli)) {
    findings.push(finding);
    if (!out.json) printFinding(cli, finding);
  }
  const failureCount = findings.filter(({ status }) => status === 'fail').length;
  const broken = failureCount === 1 ? 'One thing is' : `${failureCount} things are`;
  out.answer(
    { ok: failureCount === 0, checks: findings },
    failureCount === 0 ? '\nNothing is broken.' : `\n${broken} broken: see above.`,
  );
  if (failureCount > 0) process.exitCode = EXIT.failed;
}

function printFinding({ out }: Cli, { name, status, message, todo }: DoctorFinding): void {
  const { colors, width } = out;
  const mark = { ok: colors.green('ok  '), warn: colors.yellow('warn'), fail: colors.red('fail') }[status];
  const [first = '', ...rest] = wrap(sanitize(withCommandPrefix(message)), width - 18);
  out.line(`${mark}  ${colors.bold(name.padEnd(10))}  ${first}`);
  const indent = ' '.repeat(18);
  for (const line of rest) out.line(indent + line);
  if (todo) for (const line of wrap(sanitize(`→ ${withCommandPrefix(todo)}`), width - 18)) out.line(indent + line);
}
