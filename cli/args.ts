import { readFileSync } from 'node:fs'
import { UsageError } from '../verbs/errors.ts'
import { meant } from '../verbs/meant.ts'
import type { Typed as TypedInput } from '../verbs/request.ts'
import { type Field, kebab, type Verb } from '../verbs/verbs.ts'
import { nounOfId, RecordName } from './recordNames.ts'

/** TABLE  the program's own options; a call's field of the same name is sent through the option. */
export const OWN_OPTIONS = {
  json: { about: 'Prints the response as the server sent it.', on: () => true },
  jsonl: { about: 'Prints each row as a line of JSON.', on: ({ paged }: Verb) => paged },
  all: { about: 'Reads every page.', on: ({ paged }: Verb) => paged },
  input: { value: 'file', about: 'Reads the whole input from a JSON file, or with - from standard input.', on: () => true },
  yes: { short: 'y', about: 'Skips the confirmation.', on: ({ writes }: Verb) => writes },
  dry: {
    about: 'Shows what would happen without changing anything.',
    on: ({ dry, fields }: Verb) => dry || fields.some(({ name }) => name === 'dry'),
  },
  'idempotency-key': {
    value: 'key',
    about: 'A key under which a repeated write runs only once. By default, every write gets a new one.',
    on: ({ writes }: Verb) => writes,
  },
  'no-wait': { about: 'Starts the job and doesn’t wait for it.', on: ({ writes, job }: Verb) => writes && job !== null },
  output: {
    value: 'file',
    about: 'Where to save the file; - is standard output.',
    on: ({ writes, job, row }: Verb) => (writes && job !== null) || row.as === 'stream' || Boolean(row.media),
  },
  'insecure-http': { about: 'Allows sending the token unencrypted to another machine.', on: () => true },
  help: { short: 'h', about: 'Shows this help.', on: () => true },
} as const satisfies Record<string, { short?: string; value?: string; about: string; on(verb: Verb): boolean }>

export type OwnOption = keyof typeof OWN_OPTIONS
/** The program's own options that apply to a call. */
export const ownOptionsOf = (verb: Verb): OwnOption[] =>
  (Object.keys(OWN_OPTIONS) as OwnOption[]).filter((name) => OWN_OPTIONS[name].on(verb))

/** The parsed arguments after the two words that name a call. */
export interface Typed extends TypedInput {
  /** The program's own options: text, or true for a flag. */
  own: Partial<Record<OwnOption, string | true>>
}

/** Reads the file of an option; `-` is standard input. */
function readText(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch (error) {
    throw new UsageError(`${path === '-' ? 'Standard input' : path} can’t be read: ${(error as Error).message}`)
  }
}

function parseJson(text: string, named: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${named}  isn’t valid JSON: ${(error as Error).message}`)
  }
}

const YES = /^(1|true|yes)$/i
const NO = /^(0|false|no)$/i
const NUMBER = /^[+-]?\d+(\.\d+)?$/

function oneOf(field: Field, text: string, named: string): string {
  const { words } = field
  if (!words.length || text === '') return text
  const word = words.find((one) => one.toLowerCase() === text.toLowerCase())
  if (word !== undefined) return word
  const shown = words.slice(0, 20).join(', ')
  throw new UsageError(`${named} must be one of ${shown}${words.length > 20 ? ' …' : ''}, not “${text}”.${meant(text, words)}`)
}

/** Converts an option's text to its field's type; a usage error names the option. */
function parseValue(field: Field, raw: string, named: string): unknown {
  const { kind, nullable, numbers } = field
  const text = raw.startsWith('@@') ? raw.slice(1) : raw.startsWith('@') ? readText(raw.slice(1)) : raw
  if (nullable && text === 'null') return null
  if (kind === 'flag') {
    if (YES.test(text)) return true
    if (NO.test(text)) return false
    throw new UsageError(`${named} must be true or false, not “${text}”.`)
  }
  if (kind === 'json') return parseJson(text, named)
  if (kind === 'list') {
    if (text.trimStart().startsWith('[')) return parseJson(text, named)
    const parts = text.split(/[,\n]/).map((part) => part.trim())
    return parts.filter(Boolean).map((part) => (numbers ? numberOf(part, named) : part))
  }
  if (kind === 'number' && nounOfId(field) && !NUMBER.test(text.trim())) return new RecordName(text.trim(), named)
  if (kind === 'number') return oneOf(field, String(numberOf(text.trim(), named)), named) && numberOf(text.trim(), named)
  return oneOf(field, text, named)
}

function numberOf(text: string, named: string): number {
  if (!NUMBER.test(text)) throw new UsageError(`${named} must be a number, not “${text}”.`)
  return Number(text)
}

/** Parses the arguments of a call; throws a usage error that names the option. */
export function parse(verb: Verb, argv: readonly string[]): Typed {
  const own = ownOptionsOf(verb)
  const file = verb.row.files?.name
  const byOption = new Map(
    verb.fields.flatMap((field) => [field.option, ...(field.older ? [kebab(field.older)] : [])].map((option) => [option, field])),
  )
  const typed: Typed = { input: {}, own: {}, files: [] }
  const optionValues = new Map<string, unknown[]>()
  const bare: string[] = []
  const known = [...byOption.keys(), ...own, ...(file ? [file] : [])]
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at]!
    if (word === '--') {
      bare.push(...argv.slice(at + 1))
      break
    }
    const short = /^-([a-z])$/.exec(word)?.[1]
    const named = short
      ? own.find((one) => (OWN_OPTIONS[one] as { short?: string }).short === short)
      : /^--([^=]+)/.exec(word)?.[1]
    if (!short && named === undefined) {
      bare.push(word)
      continue
    }
    const inline = word.includes('=') && !short ? word.slice(word.indexOf('=') + 1) : undefined
    const shown = `--${named}`
    const next = (): string => {
      if (inline !== undefined) return inline
      const value = argv[++at]
      if (value === undefined || /^--[a-z]/.test(value)) throw new UsageError(`${shown} needs a value.`)
      return value
    }
    const negated = named?.startsWith('no-') ? byOption.get(named.slice(3)) : undefined
    const field = named === undefined ? undefined : byOption.get(named)
    if (named === file && file) typed.files.push(next())
    else if (field && !verb.positional.includes(field)) put(field, field.kind === 'flag' ? (inline ?? 'true') : next(), shown)
    else if (field) put(field, next(), `<${field.option}>`)
    else if (negated?.kind === 'flag' && inline === undefined) put(negated, 'false', shown)
    else if (named !== undefined && own.includes(named as OwnOption)) takeOwn(named as OwnOption, inline, next)
    else
      throw new UsageError(
        named === 'token'
          ? 'Others could see a token on the command line. Set FIELDWORK_TOKEN, or use “fieldwork login”.'
          : `There is no option ${short ? word : shown}.${meant(named ?? '', known, '--')}`,
      )
  }
  function put(field: Field, text: string, shown: string) {
    optionValues.set(field.name, [...(optionValues.get(field.name) ?? []), parseValue(field, text, shown)])
  }
  function takeOwn(name: OwnOption, inline: string | undefined, next: () => string) {
    const takes = 'value' in OWN_OPTIONS[name]
    if (!takes && inline !== undefined) throw new UsageError(`--${name} takes no value.`)
    typed.own[name] = takes ? next() : true
  }
  for (const [at, text] of bare.entries()) {
    const field = verb.positional[at]
    if (!field) throw new UsageError(`Unexpected “${text}”: ${usageOf(verb)}`)
    put(field, text, `<${field.option}>`)
  }
  for (const [name, values] of optionValues) {
    const field = verb.fields.find((one) => one.name === name)!
    if (values.length > 1 && field.kind !== 'list') throw new UsageError(`--${field.option} was given twice.`)
    typed.input[name] = values.length > 1 ? values.flat() : values[0]
  }
  if (typed.own.help) return typed
  wholeInput(verb, typed)
  if (typed.own.dry && verb.fields.some(({ name }) => name === 'dry')) typed.input.dry = true
  const missing = verb.positional.find(({ name }) => verb.row.path.includes(`{${name}}`) && typed.input[name] === undefined)
  if (missing) throw new UsageError(`<${missing.option}> is missing: ${usageOf(verb)}`)
  return typed
}

/** True for a batch as lines of JSON: neither a list nor an object with its rows. */
function isLines(text: string): boolean {
  const first = text.trimStart()
  if (!first.startsWith('{')) return false
  try {
    const { rows, responses, visits } = JSON.parse(first) as Record<string, unknown>
    return ![rows, responses, visits].some(Array.isArray)
  } catch {
    return true
  }
}

/** Reads `--input`; options on the command line win. */
function wholeInput(verb: Verb, typed: Typed): void {
  const path = typed.own.input
  if (typeof path !== 'string') return
  if (verb.row.lines && /\.(ndjson|jsonl)$/.test(path)) {
    typed.lines = { path }
    return
  }
  const text = readText(path)
  if (verb.row.lines && isLines(text)) {
    typed.lines = { text }
    return
  }
  const whole = parseJson(text, path === '-' ? 'Standard input' : path)
  if (Array.isArray(whole) && verb.row.lines) typed.input = { rows: whole, ...typed.input }
  else if (whole && typeof whole === 'object' && !Array.isArray(whole)) typed.input = { ...whole, ...typed.input }
  else throw new UsageError(`${path} must contain a JSON object.`)
}

/** "fieldwork project go-live <id>". */
export const usageOf = ({ noun, verb, positional, row }: Verb): string =>
  [
    `fieldwork ${noun} ${verb}`,
    ...positional.map(({ option }) => `<${option}>`),
    ...(row.files ? [`--${row.files.name} <path>`] : []),
  ].join(' ')
