import type { CompletionChoice } from '../commands/completion.ts';

type CompletionChoices = ReadonlyMap<string, readonly CompletionChoice[]>;

/** Generates the script for each shell. It completes by the command path typed so far, otherwise with files. */
export const completionScripts: Record<
  string,
  (name: string, choices: CompletionChoices, titledPaths: readonly string[]) => string
> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** The command that prints thread titles, for --thread and for the first argument of commands that take a thread. */
const titlesCommand = (name: string) => `${name} completion titles 2>/dev/null`;

function bashScript(name: string, choices: CompletionChoices, titledPaths: readonly string[]): string {
  const cases = [...choices].map(
    ([path, next]) => `    "${path}") next="${next.map(({ word }) => word).join(' ')}" ;;`,
  );
  return `# Completion of ${name} for bash.
_${name}() {
  local word path="" next="" last="" plain="" current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " ${pathList(choices)} " in
      *" \${path:+$path/}$word "*) path="\${path:+$path/}$word" ;;
      *) [[ $word == -* || $last == -* ]] || plain=yes ;;
    esac
    last="$word"
  done
  case "\${path//\\// }" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$next" -- "$current"))
  if [[ $current != -* && ( $last == --thread || ( -z $plain && " ${joinPaths(titledPaths)} " == *" $path "* ) ) ]]; then
    local title typed=\${current#[\\"\\']}
    typed=\${typed//\\\\/}
    while IFS= read -r title; do
      [[ $title == "$typed"* ]] && COMPREPLY+=("$title")
    done < <(${titlesCommand(name)})
    # Quotes the blanks of a title.
    compopt -o filenames 2>/dev/null
  fi
}
complete -o default -F _${name} ${name}`;
}

function zshScript(name: string, choices: CompletionChoices, titledPaths: readonly string[]): string {
  const cases = [...choices].map(([path, next]) => {
    const words = next.map(({ word, about }) => `'${word.replaceAll(':', '\\:')}:${about.replaceAll("'", "'\\''")}'`);
    return `    "${path}") next=(${words.join(' ')}) ;;`;
  });
  return `#compdef ${name}
# Completion of ${name} for zsh.
_${name}() {
  local word at="" last="" plain=""
  local -a next titles
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case " ${pathList(choices)} " in
      *" \${at:+$at/}$word "*) at="\${at:+$at/}$word" ;;
      *) [[ $word == -* || $last == -* ]] || plain=yes ;;
    esac
    last="$word"
  done
  case "\${at//\\// }" in
${cases.join('\n')}
  esac
  if [[ $words[CURRENT] != -* && ( $last == --thread || ( -z $plain && " ${joinPaths(titledPaths)} " == *" $at "* ) ) ]]; then
    titles=(\${(f)"$(${titlesCommand(name)})"})
    compadd -a titles
  fi
  _describe '${name}' next || (( $#titles )) || _files
}
compdef _${name} ${name}`;
}

function fishScript(name: string, choices: CompletionChoices, titledPaths: readonly string[]): string {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const conditionFor = (path: string) =>
    path === ''
      ? '__fish_use_subcommand'
      : path
          .split(' ')
          .map((word) => `__fish_seen_subcommand_from ${word}`)
          .join('; and ');
  const titles = quote(`(${titlesCommand(name)})`);
  const lines = [...choices].flatMap(([path, next]) =>
    next.map(({ word, about }) => {
      const option = word === '--thread' ? `-l thread -x -a ${titles}` : `-l ${word.slice(2)}`;
      const target = word.startsWith('--') ? option : `-f -a ${word}`;
      return `complete -c ${name} -n ${quote(conditionFor(path))} ${target} -d ${quote(about)}`;
    }),
  );
  const threads = titledPaths.map((path) => `complete -c ${name} -n ${quote(conditionFor(path))} -f -a ${titles}`);
  return [`# Completion of ${name} for fish.`, ...lines, ...threads].join('\n');
}

function pathList(choices: CompletionChoices): string {
  return joinPaths([...choices.keys()].filter(Boolean));
}

/** Joins paths with spaces. Spaces inside a path become slashes. */
function joinPaths(list: readonly string[]): string {
  return list.map((path) => path.replaceAll(' ', '/')).join(' ');
}
