import type { CallSchema } from '../../../contract/call.ts'
import { addDays, civilToday } from '../../../contract/pacing.ts'
import { TRANSITIONS } from '../../../contract/status.ts'
import type { Random } from '../random.ts'
import { hostileText } from './hostile.ts'

/** The internal definition of a zod schema, whose tree is walked so that new calls are covered automatically. */
interface Def {
  type: string
  shape?: Record<string, CallSchema>
  innerType?: CallSchema
  element?: CallSchema
  in?: CallSchema
  out?: CallSchema
  options?: CallSchema[]
  entries?: Record<string, string | number>
  values?: unknown[]
  items?: CallSchema[]
  keyType?: CallSchema
  valueType?: CallSchema
  defaultValue?: unknown
  checks?: {
    _zod: { def: { check: string; value?: number; minimum?: number; maximum?: number; length?: number; format?: string } }
  }[]
}
const defOf = (schema: CallSchema): Def => (schema as unknown as { _zod: { def: Def } })._zod.def

/** The fields of a call's input; none if it isn't an object. */
export function fieldsOf(schema: CallSchema): Record<string, CallSchema> {
  const def = defOf(schema)
  return def.shape ?? (def.in ? fieldsOf(def.in) : {})
}

const soon = (random: Random, from: number, to: number) =>
  addDays(civilToday('America/New_York', new Date()), random.int(from, to))

/** Texts for our own rules, which schemas don't contain, by field name. */
const HINTS: [RegExp, (random: Random) => unknown][] = [
  [/(^|_)email$/, (random) => `person${random.int(1, 40)}@mail.test`],
  [/^phone$/, (random) => `212555${random.int(1000, 9999)}`],
  [/password/, (random) => random.pick(['Fieldwork-1!', 'Other-pass2?', 'weak'])],
  [/^start_dt$/, (random) => soon(random, -3, 5)],
  [/^end_dt$/, (random) => soon(random, 6, 40)],
  [/valid_until|_dt$|date/, (random) => soon(random, -5, 40)],
  [/url|link/, (random) => random.pick(['', 'https://survey.test/a?b=c', 'http://x.test'])],
  [/^status$/, (random) => random.pick([...new Set(TRANSITIONS.map((row) => row.to)), 'OnQuote', 'Rejected', 'all'])],
  [
    /^(ageRange|age|gender|hhi|ethnicity|dwellRange|notice|marital_status|children)$/,
    (random) => random.pick(['all', 'unknown', '', '1', 'male']),
  ],
  [/^filter$/, (random) => ({ project_id: random.int(1, 6), survey_id: random.int(1, 6), search: 'a' })],
  [/^preferences$/, (random) => ({ theme: random.pick(['dark', 'light']) })],
  [/^layout$/, () => '{"columns":[]}'],
  [/^draft$/, (random) => ({ name: 'A draft', goal: random.int(1, 50) })],
  [/^(rows|responses)$/, (random) => Array.from({ length: random.int(0, 4) }, () => respondent(random))],
  [/^screen$/, () => 'projects.list'],
  [/^role_id$/, (random) => random.int(1, 3)],
  [/^cost(_cents)?$/, (random) => random.int(1, 100_000)],
]

function respondent(random: Random): unknown {
  return {
    respondent_id: `r${random.int(1, 400)}`,
    outcome: random.pick(['completes', 'terminates', 'overquota', 'partials']),
    age: random.int(1, 7),
    gender: random.pick(['male', 'female', null]),
    latitude: random.next() * 90,
    longitude: random.next() * 180,
  }
}

/** A value that mostly fits a schema: small ids, so they often exist, and hostile text where any text is valid. */
export function valueFor(schema: CallSchema, random: Random, name = ''): unknown {
  const def = defOf(schema)
  if (def.type === 'optional') return random.chance(0.4) ? undefined : valueFor(def.innerType!, random, name)
  if (def.type === 'default') return random.chance(0.5) ? undefined : valueFor(def.innerType!, random, name)
  const hint = HINTS.find(([pattern]) => pattern.test(name))
  if (hint && random.chance(0.85)) return hint[1](random)
  switch (def.type) {
    case 'nullable':
      return random.chance(0.2) ? null : valueFor(def.innerType!, random, name)
    case 'object':
      return inputFor(schema, random)
    case 'pipe':
      return valueFor(defOf(def.in!).type === 'transform' ? def.out! : def.in!, random, name)
    case 'union':
      return valueFor(random.pick(def.options!), random, name)
    case 'string':
      return textFor(def, random)
    case 'number':
      return numberFor(def, random)
    case 'boolean':
      return random.chance(0.5)
    case 'enum':
      return random.pick(Object.values(def.entries!))
    case 'literal':
      return random.pick(def.values!)
    case 'null':
      return null
    case 'array':
      return Array.from({ length: random.int(0, 3) }, () => valueFor(def.element!, random, name))
    case 'tuple':
      return def.items!.map((item) => valueFor(item, random, name))
    case 'record':
      return Object.fromEntries(
        Array.from({ length: random.int(0, 3) }, () => [`k${random.int(0, 9)}`, valueFor(def.valueType!, random)]),
      )
    case 'unknown':
    case 'any':
      return random.pick<unknown>(['x', 1, null, [], {}])
    default:
      throw new Error(`The generator does not know ${def.type} (field ${name}): teach it.`)
  }
}

/** A call's input, field by field. */
export function inputFor(schema: CallSchema, random: Random): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fieldsOf(schema))) {
    const value = valueFor(field, random, name)
    if (value !== undefined) input[name] = value
  }
  return input
}

function boundsOf(def: Def): { least: number | undefined; most: number | undefined } {
  let least: number | undefined
  let most: number | undefined
  for (const { _zod } of def.checks ?? []) {
    const { check, value, minimum, maximum, length } = _zod.def
    if (check === 'min_length') least = minimum
    else if (check === 'max_length') most = maximum
    else if (check === 'length_equals') least = most = length
    else if (check === 'greater_than') least = value
    else if (check === 'less_than') most = value
  }
  return { least, most }
}

function textFor(def: Def, random: Random): string {
  const { least = 0, most = 5000 } = boundsOf(def)
  const plain = random.chance(0.4) ? `Text ${random.int(1, 999)}` : hostileText(random)
  // Exactly the maximum length now and then, to find columns that are too short.
  const text = random.chance(0.05) ? plain.padEnd(Math.min(most, 20_000), 'x') : plain
  return text.slice(0, most).padEnd(least, 'x')
}

function numberFor(def: Def, random: Random): unknown {
  const { least = 0, most = 1000 } = boundsOf(def)
  if (random.chance(0.05)) return random.pick([least, most])
  const value = random.int(Math.ceil(least), Math.min(most, Math.ceil(least) + 12))
  return random.chance(0.2) ? String(value) : value
}
