import { UsageError } from '../verbs/errors.ts'
import { allVerbs, idsOf, nounWords, verbFor } from '../verbs/verbs.ts'
import { OWN_OPTIONS, ownOptionsOf } from './args.ts'
import { OWN_WORDS } from './help.ts'

/** Shells with completion. */
const SHELLS = ['bash', 'zsh'] as const

const firstWords = (): string => [...Object.keys(OWN_WORDS), ...nounWords].join(' ')
const verbsOf = (noun: string): string =>
  idsOf(noun)
    .map((id) => verbFor(id).verb)
    .join(' ')

interface Line {
  /** "project list" */
  key: string
  options: string
  /** Options that take one of some words, with these words. */
  words: readonly (readonly [option: string, words: string])[]
  files: readonly string[]
}

const lines = (): Line[] =>
  allVerbs().map((verb) => {
    const fields = verb.fields.filter((field) => !verb.positional.includes(field))
    const own = ownOptionsOf(verb)
    const files = [
      ...(verb.row.files ? [verb.row.files.name] : []),
      ...own.filter((name) => 'value' in OWN_OPTIONS[name] && OWN_OPTIONS[name].value === 'file'),
    ]
    return {
      key: `${verb.noun} ${verb.verb}`,
      options: [...new Set([...fields.map(({ option }) => option), ...(verb.row.files ? [verb.row.files.name] : []), ...own])]
        .map((name) => `--${name}`)
        .join(' '),
      words: fields.flatMap(({ option, words, offered }) => {
        const list = words.length ? words : offered
        return list.length ? [[`--${option}`, list.join(' ')] as const] : []
      }),
      files: files.map((name) => `--${name}`),
    }
  })

/** Quotes a word for the shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function bash(): string {
  const verbs = nounWords.map((noun) => `    ${noun}) words=${quoted(verbsOf(noun))} ;;`)
  const options = lines().map(({ key, options }) => `    ${quoted(key)}) words=${quoted(options)} ;;`)
  const values = lines().flatMap(({ key, words }) =>
    words.map(([option, list]) => `    ${quoted(`${key} ${option}`)}) words=${quoted(list)} ;;`),
  )
  return `# fieldwork: completion for bash; source <(fieldwork completion bash)
_fieldwork() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} words=
  local noun=\${COMP_WORDS[1]} verb=\${COMP_WORDS[2]}
  COMPREPLY=()
  if (( COMP_CWORD == 1 )); then
    words=${quoted(firstWords())}
  elif (( COMP_CWORD == 2 )); then
    case "$noun" in
    completion) words='${SHELLS.join(' ')}' ;;
    help) words=${quoted(nounWords.join(' '))} ;;
${verbs.join('\n')}
    esac
  elif [[ $prev == --input || $prev == --output || $prev == --file ]]; then
    COMPREPLY=($(compgen -f -- "$cur"))
    return
  elif [[ $cur == -* ]]; then
    case "$noun $verb" in
${options.join('\n')}
    esac
  else
    case "$noun $verb $prev" in
${values.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _fieldwork fieldwork
`
}

function zsh(): string {
  const verbs = nounWords.map((noun) => `    ${noun}) offered=(${verbsOf(noun)}) ;;`)
  const options = lines().map(({ key, options }) => `    ${quoted(key)}) offered=(${options}) ;;`)
  const values = lines().flatMap(({ key, words }) =>
    words.map(([option, list]) => `    ${quoted(`${key} ${option}`)}) offered=(${list.split(' ').map(quoted).join(' ')}) ;;`),
  )
  return `#compdef fieldwork
# fieldwork: completion for zsh; source <(fieldwork completion zsh)
_fieldwork() {
  local -a offered
  local noun=\${words[2]} verb=\${words[3]} prev=\${words[CURRENT-1]}
  if (( CURRENT == 2 )); then
    offered=(${firstWords()})
  elif (( CURRENT == 3 )); then
    case "$noun" in
    completion) offered=(${SHELLS.join(' ')}) ;;
    help) offered=(${nounWords.join(' ')}) ;;
${verbs.join('\n')}
    esac
  elif [[ $prev == --input || $prev == --output || $prev == --file ]]; then
    _files
    return
  elif [[ $PREFIX == -* ]]; then
    case "$noun $verb" in
${options.join('\n')}
    esac
  else
    case "$noun $verb $prev" in
${values.join('\n')}
    esac
  fi
  compadd -- $offered
}
compdef _fieldwork fieldwork
`
}

/** Returns the completion script of a shell; throws a usage error for an unknown one. */
export function completion(shell: string | undefined): string {
  if (shell === 'bash') return bash()
  if (shell === 'zsh') return zsh()
  throw new UsageError(`Completion is available for ${SHELLS.join(' and ')}: fieldwork completion bash`)
}
