// Completions for fish 3.0 and later.
import { valueFlags, type FlagOffer, type CommandOffers } from './places.ts';
import { fishQuoted } from './quote.ts';

export function fishScript(places: readonly CommandOffers[]): string {
  const known = places.flatMap(({ words }) => (words === '' ? [] : [fishQuoted(words)]));
  return `# Completions of signetry for fish, made by \`signetry completion fish\`.
function __signetry_at
  set -l place
  set -l flag
  for word in (commandline -opc)[2..-1]
    if test -n "$flag"
      set flag
      continue
    end
    switch $word
      case ${valueFlags(places).join(' ')}
        set flag $word
      case '-*'
      case '*'
        if contains -- (string join -- ' ' $place $word) ${known.join(' ')}
          set -a place $word
        end
    end
  end
  test "$place" = "$argv[1]"
end
${places.flatMap(atPlace).join('\n')}`;
}

function atPlace({ words, next, flags }: CommandOffers): readonly string[] {
  const condition = `complete -c signetry -n ${fishQuoted(`__signetry_at ${fishQuoted(words)}`)}`;
  return [
    ...next.map(({ text, about }) => `${condition} -f -a ${text} -d ${fishQuoted(about)}`),
    ...flags.map((flag) => `${condition} -l ${flag.text.slice(2)}${valueOf(flag)} -d ${fishQuoted(flag.about)}`),
  ];
}

function valueOf({ value }: FlagOffer): string {
  if (value === undefined) return '';
  // If there are values to suggest, fish does not suggest files; otherwise, its default applies.
  return value === 'any' ? ' -r' : ` -x -a ${fishQuoted(value.join(' '))}`;
}
