import type { Choice } from './commands/completion.ts';

type Choices = ReadonlyMap<string, readonly Choice[]>;

/** For each shell: the words typed so far that are commands lead to a list of what may come next; otherwise files. */
export const scripts: Record<string, (name: string, choices: Choices) => string> = { bash, zsh, fish };

function bash(name: string, choices: Choices): string {
  const cases = [...choices].map(
    ([path, next]) => `    "${path}") next="${next.map(({ word }) => word).join(' ')}" ;;`,
  );
  return `# Completion of ${name} for bash.
_${name}() {
  local word path="" next="" current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " ${paths(choices)} " in *" \${path:+$path/}$word "*) path="\${path:+$path/}$word" ;; esac
  done
  case "\${path//\\// }" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$next" -- "$current"))
}
complete -o default -F _${name} ${name}`;
}

function zsh(name: string, choices: Choices): string {
  const cases = [...choices].map(([path, next]) => {
    const words = next.map(({ word, about }) => `'${word.replaceAll(':', '\\:')}:${about.replaceAll("'", "'\\''")}'`);
    return `    "${path}") next=(${words.join(' ')}) ;;`;
  });
  return `#compdef ${name}
# Completion of ${name} for zsh.
_${name}() {
  local word at=""
  local -a next
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case " ${paths(choices)} " in *" \${at:+$at/}$word "*) at="\${at:+$at/}$word" ;; esac
  done
  case "\${at//\\// }" in
${cases.join('\n')}
  esac
  _describe '${name}' next || _files
}
compdef _${name} ${name}`;
}

function fish(name: string, choices: Choices): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = [...choices].flatMap(([path, next]) => {
    const when =
      path === ''
        ? '__fish_use_subcommand'
        : path
            .split(' ')
            .map((word) => `__fish_seen_subcommand_from ${word}`)
            .join('; and ');
    return next.map(({ word, about }) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c ${name} -n ${quoted(when)} ${what} -d ${quoted(about)}`;
    });
  });
  return [`# Completion of ${name} for fish.`, ...lines].join('\n');
}

function paths(choices: Choices): string {
  return [...choices.keys()]
    .filter(Boolean)
    .map((path) => path.replaceAll(' ', '/'))
    .join(' ');
}
