import type { Cli } from '../cli.ts';
import { type Declare, examples } from '../command.ts';
import { type Check, checks } from '../doctor/checks.ts';
import { EXIT } from '../failure.ts';
import { asStarted } from '../output/hints.ts';
import { visible, wrap } from '../output/text.ts';

export const declare: Declare = (command, start) =>
  command
    .addHelpText('after', examples('heddle doctor', 'heddle --workspace ~/other doctor', 'heddle doctor --json'))
    .addHelpText('after', '\nEach line is ok, warn or fail, with what to do. The exit code is 1 when something fails.')
    .action(() => doctor(start()));

async function doctor(cli: Cli): Promise<void> {
  const { out } = cli;
  const found: Check[] = [];
  for (const check of checks) {
    const results = await check(cli);
    found.push(...results);
    if (!out.json) for (const result of results) show(cli, result);
  }
  const failed = found.filter(({ status }) => status === 'fail').length;
  if (out.json) out.value({ ok: failed === 0, checks: found });
  else
    out.line(
      failed === 0
        ? '\nNothing is broken.'
        : `\n${failed === 1 ? 'One thing is' : `${failed} things are`} broken: see above.`,
    );
  if (failed > 0) process.exitCode = EXIT.failed;
}

function show({ out }: Cli, { name, status, message, todo }: Check): void {
  const { colors, width } = out;
  const mark = { ok: colors.green('ok  '), warn: colors.yellow('warn'), fail: colors.red('fail') }[status];
  const [first = '', ...rest] = wrap(visible(asStarted(message)), width - 18);
  out.line(`${mark}  ${colors.bold(name.padEnd(10))}  ${first}`);
  const indent = ' '.repeat(18);
  for (const line of rest) out.line(indent + line);
  if (todo) for (const line of wrap(visible(`→ ${asStarted(todo)}`), width - 18)) out.line(indent + line);
}
