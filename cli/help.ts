import { rightsOfFields } from '../contract/rights.ts'
import { refusedToTokens, scopeNeeded } from '../contract/tokenScope.ts'
import { aboutField } from '../verbs/aboutField.ts'
import { aboutNoun, type Field, idsOf, kebab, newerOf, nounWords, type Verb, verbFor } from '../verbs/verbs.ts'
import { OWN_OPTIONS, ownOptionsOf, usageOf } from './args.ts'

/** Formats words in two columns. */
const columns = (rows: readonly (readonly [string, string])[]): string => {
  const widest = Math.min(34, Math.max(0, ...rows.map(([name]) => name.length)))
  return rows.map(([name, about]) => `  ${name.padEnd(widest)}  ${about}`.trimEnd()).join('\n')
}

/** TABLE  the program's own words, which aren't calls. */
export const OWN_WORDS = {
  login: 'Stores the server’s address and a token: fieldwork login https://fieldwork.example.com',
  logout: 'Deletes them.',
  status: 'Shows the server, the token’s owner and its scopes.',
  mcp: 'Serves these commands to an AI assistant over MCP (stdio): fieldwork mcp, or fieldwork mcp --write for changes too.',
  completion: 'Prints the completion script of a shell: source <(fieldwork completion bash), or zsh.',
  help: 'Shows the options of a noun or command: fieldwork help project list',
} as const

/** The first page of help. */
export const helpOfAll = (): string =>
  [
    'fieldwork <noun> <verb> [<id>] [--option value …]',
    '',
    'Nouns:',
    columns(nounWords.map((noun) => [noun, aboutNoun(noun)])),
    '',
    'Other commands:',
    columns(Object.entries(OWN_WORDS)),
    '',
    'FIELDWORK_URL and FIELDWORK_TOKEN set the server and the token. “fieldwork help project” lists a noun’s commands.',
  ].join('\n')

/** The help of a noun, with its verbs. */
export const helpOfNoun = (noun: string): string =>
  [
    `${noun}: ${aboutNoun(noun)}`,
    '',
    columns(idsOf(noun).map((id) => [verbFor(id).verb, verbFor(id).row.about])),
    '',
    `“fieldwork help ${noun} <verb>” shows the options of each.`,
  ].join('\n')

/** An option's value in help: its words, or the kind of its value. */
function takes({ kind, words, numbers }: Field): string {
  if (kind === 'flag') return ''
  if (words.length && words.length <= 8) return ` ${words.join('|')}`
  return kind === 'list' ? (numbers ? ' <n,n>' : ' <a,b>') : kind === 'json' ? ' <json>' : kind === 'number' ? ' <n>' : ' <text>'
}

/** The help of a call, with all its options. */
export function helpOfVerb(verb: Verb): string {
  const { row, id, fields, positional } = verb
  const closed = refusedToTokens(id, row)
  const newer = newerOf(id, ({ noun, verb }) => `“fieldwork ${noun} ${verb}”`)
  const named = fields.filter((field) => !positional.includes(field))
  const own = ownOptionsOf(verb).map((name): [string, string] => {
    const option: { short?: string; value?: string; about: string } = OWN_OPTIONS[name]
    return [`--${name}${option.value ? ` <${option.value}>` : ''}${option.short ? `, -${option.short}` : ''}`, option.about]
  })
  const files: [string, string][] = row.files
    ? [[`--${row.files.name} <path>`, row.files.several ? 'A file to send; repeat it for more.' : 'The file to send.']]
    : []
  return [
    usageOf(verb),
    '',
    row.about,
    ...(newer ? [newer] : []),
    closed ?? `A token needs the scope ${scopeNeeded(id, row)}.`,
    ...Object.entries(closed === null ? rightsOfFields(id) : {}).map(
      ([field, right]) => `With --${kebab(field)} it needs ${right}, too.`,
    ),
    ...(verb.final ? ['It can’t be undone. Without a terminal, it needs --yes.'] : []),
    ...(positional.length ? ['', columns(positional.map((field) => [`<${field.option}>`, aboutField(field)]))] : []),
    ...(named.length || files.length
      ? [
          '',
          columns([...files, ...named.map((field): [string, string] => [`--${field.option}${takes(field)}`, aboutField(field)])]),
        ]
      : []),
    '',
    columns(own),
  ].join('\n')
}
