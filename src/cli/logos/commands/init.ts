import type { Json } from '../../../core/events/event.ts';
import { DEFAULT_TERMS } from '../../../core/exchange/terms/defaults.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { usageError } from '../../failure.ts';
import { parseNumber } from '../../input/numbers.ts';
import { readTextFile } from '../../input/text.ts';
import { oneLine, shorten } from '../../output/text.ts';
import { beginThread } from '../../threads/begin.ts';
import { parseTerms } from '../input.ts';

interface LogosInitOptions {
  readonly question?: string;
  readonly file?: string;
  readonly model?: string;
  readonly minds?: string;
  readonly mind: readonly string[];
  readonly auditor?: string;
  readonly auditEvery?: string;
  readonly set: readonly string[];
}

export const declare: DeclareCommand = (command) =>
  command
    .argument('[title...]', 'the title, and the question unless --question or -f gives one')
    .option('--question <text>', 'what the minds think about (default: the title)')
    .option('-f, --file <file>', 'read the question from this file')
    .option('--model <names>', 'the model that thinks, or several separated by commas (default: the default for minds)')
    .option('--minds <k>', 'how many minds share the pool (default: one for each model)')
    .option('--mind <name=model>', 'a mind as name=model; repeat for each mind', collect, [])
    .option('--auditor <name>', 'the model that audits (default: the same as --model, or the default for auditors)')
    .option('--audit-every <n>', 'rounds from audit to audit (default: 20)')
    .option('--set <key=value>', 'any other term listed by "logos terms"; repeat for each', collect, [])
    .examples(
      'logos init "What is a good garden?"',
      'logos init "Two views" --mind gardener=chat --mind sceptic=small --auditor chat',
      'logos init "Garden" -f question.md --minds 3 --audit-every 10',
      'logos init "Haiku" --set auditor_spec=@spec.md --set policy=alert',
    )
    .run((cli, title: string[], options: LogosInitOptions) => init(cli, title.join(' ').trim(), options));

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

async function init(cli: Cli, title: string, options: LogosInitOptions): Promise<void> {
  const { modelNames, setup } = setupOf(title, options);
  await beginThread(cli, { title: titleOf(title, setup.question), setup, modelNames });
  const hasNoQuestion = title === '' && setup.question === undefined;
  cli.out.note(
    hasNoQuestion
      ? 'Set the question: logos amend question "…". Let the minds think: logos run 5'
      : 'Let the minds think: logos run 5. Tell them more: logos inject "…"',
  );
}

const LONGEST_TITLE = 200;

/** Text too long for a title becomes the question, and its beginning becomes the title. */
function titleOf(title: string, question: string | undefined): string {
  return shorten(oneLine(title || (question ?? '')), LONGEST_TITLE);
}

function setupOf(title: string, { question, file, model, minds, mind, auditor, auditEvery, set }: LogosInitOptions) {
  if (mind.length > 0 && (model !== undefined || minds !== undefined)) {
    throw usageError('--mind names every mind by itself: leave out --model and --minds.');
  }
  const models = (model ?? '').split(',').flatMap((name) => name.trim() || []);
  const mindCount = minds === undefined ? Math.max(1, models.length) : parseNumber(minds, 'minds');
  const auditorModel = auditor ?? models[0];
  const namedMinds = mind.map(parseMind);
  const questionText = question ?? (file === undefined ? undefined : readTextFile(file).trim());
  const fullQuestion = questionText ?? (title.length > LONGEST_TITLE ? title : undefined);
  const numberedMinds = Array.from({ length: mindCount }, (_, i) => ({
    id: `mind_${i}`,
    model: models[i % models.length] ?? null,
  }));
  const terms = (parseTerms(set, DEFAULT_TERMS) ?? {}) as Record<string, Json>;
  return {
    modelNames: [
      ...models,
      ...namedMinds.flatMap((each) => each.model ?? []),
      ...(auditor === undefined ? [] : [auditor]),
    ],
    setup: {
      ...terms,
      ...(fullQuestion !== undefined && { question: fullQuestion }),
      ...(namedMinds.length > 0
        ? { minds: namedMinds }
        : terms.minds === undefined && { minds: models.length === 0 ? mindCount : numberedMinds }),
      ...(auditorModel !== undefined && { auditor_model: auditorModel }),
      ...(auditEvery !== undefined && { audit_every: parseNumber(auditEvery, 'rounds') }),
    } as Record<string, Json> & { readonly question?: string },
  };
}

/** Parses "sceptic=small", or a name alone for the default model. */
function parseMind(text: string): { readonly id: string; readonly model: string | null } {
  const [, id = '', model] = /^([^=]*)(?:=(.+))?$/.exec(text) ?? [];
  if (id === '') throw usageError(`"--mind ${text}" should be a name and a model, as in sceptic=small.`);
  return { id, model: model ?? null };
}
