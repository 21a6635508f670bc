// Completions for zsh. Where the script has no suggestions, zsh suggests files.
import { choicePlaces, valueFlags, type Offer, type CommandOffers } from './places.ts';
import { quoted } from './quote.ts';

export function zshScript(places: readonly CommandOffers[]): string {
  const known = places.flatMap(({ words }) => (words === '' ? [] : [quoted(words)]));
  return `#compdef signetry
# Completions of signetry for zsh, made by \`signetry completion zsh\`.
_signetry() {
  local place= flag= word
  local -a offers
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $flag ]]; then flag=; continue; fi
    case $word in
      (${valueFlags(places).join('|')}) flag=$word ;;
      (-*) ;;
      (*)
        case "\${place:+$place }$word" in
          (${known.join('|')}) place="\${place:+$place }$word" ;;
        esac ;;
    esac
  done
  if [[ -z $flag && $PREFIX == --*=* ]]; then
    flag=\${PREFIX%%=*}
    compset -P '*='
  fi
  if [[ -n $flag ]]; then
    case "$place $flag" in
${choicePlaces(places)
  .map(({ at, choices }) => `      (${quoted(at)}) offers=(${choices.map(quoted).join(' ')}) ;;`)
  .join('\n')}
    esac
  elif [[ $PREFIX == -* ]]; then
    case $place in
${places.map(({ words, flags }) => `      (${quoted(words)}) offers=(${described(flags)}) ;;`).join('\n')}
    esac
  else
    case $place in
${places.map(({ words, next }) => `      (${quoted(words)}) offers=(${described(next)}) ;;`).join('\n')}
    esac
  fi
  if (( $#offers )); then _describe 'signetry' offers; else _files; fi
}
if [[ $funcstack[1] == _signetry ]]; then _signetry "$@"; else compdef _signetry signetry; fi`;
}

/** Returns texts with their descriptions, in the format that `_describe` expects. */
const described = (offers: readonly Offer[]): string =>
  offers.map(({ text, about }) => quoted(`${text}:${about.replaceAll(':', String.raw`\:`)}`)).join(' ');
