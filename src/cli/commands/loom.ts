import type { CliCommand, DeclareCommand } from '../command.ts';
import type { LoomExportOptions } from '../loom/files.ts';
import type { LoomGenerateOptions } from '../loom/generate.ts';
import type { LoomTreeOptions } from '../loom/tree.ts';
import type { LoomMarkOptions, LoomTextOptions } from '../loom/write.ts';

export const declare: DeclareCommand = (command) => {
  command
    .examples(
      'heddle loom new --text "Once upon a time"',
      'heddle loom generate "Once upon a time" -n 3',
      'heddle loom tree "Once upon a time"',
      'heddle loom import tree.json',
    )
    .footnote('An edit creates a new version and keeps the text after it; a generation creates branches.');
  declareWriting(command);
  declareReading(command);
  declareFiles(command);
};

function declareWriting(command: CliCommand): void {
  command.commandsGroup('Write:');
  command
    .command('new [title...]')
    .description('create a loom')
    .option('--text <text>', 'the text it starts with')
    .option('-f, --file <file>', 'start with the text of this file ("-" for standard input)')
    .option('--model <name>', 'the default model of this loom')
    .examples('heddle loom new --text "Once upon a time"', 'heddle loom new Heron -f heron.txt --model base')
    .run(async (cli, title: string[], options: LoomTextOptions & { model?: string }) => {
      const { beginLoom: begin } = await import('../loom/write.ts');
      return begin(cli, title.length > 0 ? title.join(' ') : undefined, options);
    });
  command
    .command('append <loom> [text...]')
    .description('write at the end of your path; every space counts')
    .option('-f, --file <file>', 'append the text of this file ("-" for standard input)')
    .examples('heddle loom append Heron " and then it rained."', 'heddle loom append Heron -f more.txt')
    .run(async (cli, name: string, words: string[], options: LoomTextOptions) =>
      (await import('../loom/write.ts')).append(cli, name, words, options),
    );
  command
    .command('edit <loom> <node> [text...]')
    .description('create a new version of a node on your path; the text after it stays')
    .option('-f, --file <file>', 'read the new text from this file ("-" for standard input)')
    .examples('heddle loom edit Heron 7Q2FJK "Twice upon a time"', 'heddle loom edit Heron 7Q2FJK ""')
    .run(async (cli, name: string, node: string, words: string[], options: LoomTextOptions) =>
      (await import('../loom/write.ts')).edit(cli, name, node, words, options),
    );
  command
    .command('generate <loom>')
    .description('let a model write branches; your path takes the first one')
    .option('-n, --number <n>', 'number of branches (default: 3, or the loom’s setting)')
    .option('--max-tokens <n>', 'token limit for each (default: 50)')
    .option('--model <name>', 'a model in heddle.yaml (default: the default for looms)')
    .option('--temperature <t>', 'sampling temperature, from 0')
    .option('--seed <n>', 'the same seed gives the same texts, if the model supports it')
    .option('--at <node>', 'continue from this node of your path instead of its end')
    .examples('heddle loom generate Heron', 'heddle loom generate Heron -n 5 --max-tokens 100 --temperature 1.1')
    .run(async (cli, name: string, options: LoomGenerateOptions) =>
      (await import('../loom/generate.ts')).generate(cli, name, options),
    );
  command
    .command('switch <loom> <node>')
    .description('go to another branch or version; "root" for the very beginning')
    .examples('heddle loom switch Heron 7Q2FJK')
    .run(async (cli, name: string, node: string) => (await import('../loom/write.ts')).goTo(cli, name, node));
  command
    .command('mark <loom> <node>')
    .description('bookmark, tag, rate, annotate, prune or restore a node')
    .option('--bookmark <label>', 'a bookmark ("" removes it)')
    .option('--tag <tag...>', 'add tags')
    .option('--untag <tag...>', 'remove tags')
    .option('--note <text>', 'a note ("" removes it)')
    .option('--rating <n>', 'from -100 to 100 ("" removes it)')
    .option('--prune', 'hide the branch and everything after it')
    .option('--restore', 'show it again')
    .examples('heddle loom mark Heron 7Q2FJK --bookmark "good ending"', 'heddle loom mark Heron 7Q2FJK --prune')
    .run(async (cli, name: string, node: string, options: LoomMarkOptions) =>
      (await import('../loom/write.ts')).mark(cli, name, node, options),
    );
  for (const [name, description] of [
    ['undo', 'undo your last commit, switch, prune or generation; no node is lost'],
    ['redo', 'redo what you undid'],
  ] as const) {
    command
      .command(`${name} <loom>`)
      .description(description)
      .examples(`heddle loom ${name} Heron`)
      .run(async (cli, loom: string) => (await import('../loom/write.ts')).undoOrRedo(cli, loom, name));
  }
}

function declareReading(command: CliCommand): void {
  command.commandsGroup('Look:');
  command
    .command('text <loom>')
    .description('print your path as one text; on a terminal with its authors')
    .option('--authors', 'show authors even if this is not a terminal')
    .examples('heddle loom text Heron', 'heddle loom text Heron > heron.txt')
    .run(async (cli, name: string, options: { authors?: boolean }) =>
      (await import('../loom/text.ts')).showText(cli, name, options),
    );
  command
    .command('show <loom> [node]')
    .description('show your path node by node; with a node, its versions and siblings side by side')
    .examples('heddle loom show Heron', 'heddle loom show Heron 7Q2FJK', 'heddle loom show Heron --json')
    .run(async (cli, name: string, node: string | undefined) =>
      (await import('../loom/show.ts')).show(cli, name, node),
    );
  command
    .command('tree <loom>')
    .description('show the tree, folded: your path (●), the branches that leave it, and their size')
    .option('--all', 'fold nothing')
    .option('--at <node>', 'only this node and everything after it')
    .option('--lines <n>', 'at most about this many lines, from the newest part of your path', '200')
    .examples('heddle loom tree Heron', 'heddle loom tree Heron --at 7Q2FJK --all')
    .run(async (cli, name: string, options: LoomTreeOptions) =>
      (await import('../loom/tree.ts')).showTree(cli, name, options),
    );
  command
    .command('search <loom> <words...>')
    .description('find nodes that contain all the words')
    .option('--path', 'only on your path')
    .examples('heddle loom search Heron grey lake', 'heddle loom search Heron rain --path')
    .run(async (cli, name: string, words: string[], options: { path?: boolean }) =>
      (await import('../loom/search.ts')).search(cli, name, words.join(' '), options),
    );
  command
    .command('authorship <loom>')
    .description('show who wrote which characters of your path')
    .examples('heddle loom authorship Heron', 'heddle loom authorship Heron --json')
    .run(async (cli, name: string) => (await import('../loom/text.ts')).showAuthorship(cli, name));
}

function declareFiles(command: CliCommand): void {
  command.commandsGroup('Files:');
  command
    .command('import <files...>')
    .description('create looms from files of other programs, and list what was lost')
    .option('--format <name>', 'the format of the files (default: recognised by their content)', 'auto')
    .examples('heddle loom import tree.json', 'heddle loom import chats/', 'heddle loom import notes.md')
    .footnote(
      'Formats: socketteer, loomsidian, miniloom, exoloom, mikupad, sillytavern (a folder of chats is one loom), openloom,\ntext, and files from "heddle loom export --format jsonl". Keys found in files are never stored.',
    )
    .run(async (cli, paths: string[], options: { format: string }) =>
      (await import('../loom/files.ts')).importFiles(cli, paths, options),
    );
  command
    .command('export <loom>')
    .description('write a loom, or your path, to a file or standard output')
    .option('--format <name>', 'jsonl, openloom, loom, markdown, text or html', 'jsonl')
    .option('-o, --output <file>', 'write to this file (default: standard output)')
    .option('--authors', 'with text: add a table of authors at the end')
    .option('--force', 'replace the file if it exists')
    .examples('heddle loom export Heron --format markdown', 'heddle loom export Heron --format openloom -o heron.json')
    .footnote(
      'jsonl has everything and can be verified with "heddle verify --file"; openloom and loom have the tree for other programs;\nmarkdown, text and html have your path with its authors.',
    )
    .run(async (cli, name: string, options: LoomExportOptions) =>
      (await import('../loom/files.ts')).exportLoom(cli, name, options),
    );
}
