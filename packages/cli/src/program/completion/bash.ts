// Completions for bash 3.2 and later. Where the script has no suggestions, bash suggests files.
import { choicePlaces, valueFlags, type CommandOffers } from './places.ts';
import { quoted } from './quote.ts';

export function bashScript(places: readonly CommandOffers[]): string {
  const list = (texts: readonly string[]) => quoted(texts.join(' '));
  const known = places.flatMap(({ words }) => (words === '' ? [] : [quoted(words)]));
  return `# Completions of signetry for bash, made by \`signetry completion bash\`.
_signetry() {
  local current=\${COMP_WORDS[COMP_CWORD]} place= flag= offers= word index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    # bash takes --flag=value for three words
    if [[ $word == = ]]; then continue; fi
    if [[ -n $flag ]]; then flag=; continue; fi
    case $word in
      ${valueFlags(places).join('|')}) flag=$word ;;
      -*) ;;
      *)
        case "\${place:+$place }$word" in
          ${known.join('|')}) place="\${place:+$place }$word" ;;
        esac ;;
    esac
  done
  if [[ $current == = ]]; then current=; fi
  if [[ -n $flag ]]; then
    case "$place $flag" in
${choicePlaces(places)
  .map(({ at, choices }) => `      ${quoted(at)}) offers=${list(choices)} ;;`)
  .join('\n')}
    esac
  elif [[ $current == -* ]]; then
    case $place in
${places.map(({ words, flags }) => `      ${quoted(words)}) offers=${list(flags.map(({ text }) => text))} ;;`).join('\n')}
    esac
  else
    case $place in
${places.map(({ words, next }) => `      ${quoted(words)}) offers=${list(next.map(({ text }) => text))} ;;`).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$offers" -- "$current"))
}
complete -o default -F _signetry signetry`;
}
