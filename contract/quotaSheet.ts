import { stripBidi } from './bidi.ts'
import { type Field, shortLabelOf } from './fieldKinds.ts'
import { readAmount } from './money.ts'
import { gridOf } from './questionSheet.ts'
import type { DimensionInput } from './quota.ts'
import { combinationsOf, overlapIn, QUOTA_FIELDS, QUOTA_LIMITS, sumFault, targetsOf } from './quotaRules.ts'
import { demographicFields } from './targetFields.ts'
import { acceptedWords, labelOf, type Term, valueOfWord } from './vocabulary.ts'

/*
 * The dimensions of a quota plan, from a pasted table or from the audience.
 * A table has a column for each field and one of targets or shares; an empty line begins the next dimension.
 */

/** The labels of the fields that cells are made of. */
export const QUOTA_FIELD_LABELS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries<Field>(demographicFields).map(([name, one]) => [name, shortLabelOf(one)])),
  dma: 'Market',
  partner: 'Partner',
}
const HEADINGS: Readonly<Record<string, readonly string[]>> = {
  hhi: ['income'],
  marital_status: ['marital'],
  children: ['children in household', 'children in the household', 'kids'],
  dma: ['market area', 'dma code'],
  partner: ['partner id', 'supplier'],
}
const NUMBERS = { target: ['target', 'quota', 'completes', 'n'], share: ['share', 'percent', '%'] } as const

const plain = (heading: string): string => heading.trim().toLowerCase().replaceAll('_', ' ')
const fieldOf = (heading: string): string | undefined =>
  Object.keys(QUOTA_FIELDS).find((field) =>
    [plain(field), QUOTA_FIELD_LABELS[field]!.toLowerCase(), ...(HEADINGS[field] ?? [])].includes(plain(heading)),
  )

/** A dimension's cells with targets: those that were sent, or those that follow from shares. */
export function plannedTargets({ cells }: Pick<DimensionInput, 'cells'>, total: number): number[] {
  return cells.every(({ share }) => share !== undefined)
    ? targetsOf(
        total,
        cells.map(({ share }) => share!),
      )
    : cells.map(({ target }) => target ?? 0)
}

interface QuotaSheet {
  dimensions: DimensionInput[]
  /** What is wrong, the first fault of each dimension. */
  faults: string[]
}

/** Reads a pasted table of dimensions; with a total, it also says which don't add up to it. */
export function readQuotaSheet(text: string, total: number | null): QuotaSheet {
  const dimensions: DimensionInput[] = []
  const faults: string[] = []
  for (const block of blocksOf(text)) {
    const read = readBlock(gridOf(block))
    if (typeof read === 'string') {
      faults.push(read)
      continue
    }
    dimensions.push(read)
    const fault = total === null ? null : sumFault({ ...read, targets: plannedTargets(read, total) }, total)
    if (fault) faults.push(fault)
  }
  if (dimensions.length > QUOTA_LIMITS.dimensions) faults.push(`A plan has at most ${QUOTA_LIMITS.dimensions} dimensions.`)
  const names = dimensions.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice) faults.push(`“${twice}” is there twice.`)
  return { dimensions, faults }
}

function blocksOf(text: string): string[] {
  const blocks: string[][] = [[]]
  for (const line of text.split(/\r?\n/))
    if (line.trim()) blocks.at(-1)!.push(line)
    else if (blocks.at(-1)!.length) blocks.push([])
  return blocks.filter((lines) => lines.length).map((lines) => lines.join('\n'))
}

/** A dimension's name by its fields: “Age and household income”. */
const dimensionName = (fields: readonly string[]): string => {
  const [first = '', ...others] = fields.map((field) => QUOTA_FIELD_LABELS[field]!)
  return [first, ...others.map((label) => label.charAt(0).toLowerCase() + label.slice(1))].join(' and ')
}

/** A dimension, or what is wrong with it. */
function readBlock([head = [], ...rows]: string[][]): DimensionInput | string {
  const heading = head.map((one) => one.trim())
  const last = plain(heading.at(-1) ?? '')
  const kind = (['target', 'share'] as const).find((one) => (NUMBERS[one] as readonly string[]).includes(last))
  if (!kind) return `The last column is headed Target or Share, not “${stripBidi(heading.at(-1) ?? '')}”.`
  const fields = heading.slice(0, -1).map(fieldOf)
  const unknown = fields.indexOf(undefined)
  if (!fields.length || unknown >= 0)
    return `“${stripBidi(heading[Math.max(0, unknown)] ?? '')}” is not a field: use ${Object.values(QUOTA_FIELD_LABELS).join(', ')}.`
  const known = fields as string[]
  const name = dimensionName(known)
  if (new Set(known).size < known.length || known.length > QUOTA_LIMITS.fields)
    return `“${name}” needs different fields, at most ${QUOTA_LIMITS.fields}.`
  if (!rows.length || rows.length > QUOTA_LIMITS.cells) return `“${name}” needs 1 to ${QUOTA_LIMITS.cells} lines of cells.`
  const cells: DimensionInput['cells'] = []
  for (const row of rows) {
    const conditions: Record<string, string[]> = {}
    for (const [at, field] of known.entries()) {
      const codes = codesOf(field, row[at] ?? '')
      if (typeof codes === 'string') return codes
      conditions[field] = codes
    }
    const number = row[known.length] ?? ''
    const { cents } = readAmount(number.replace('%', '').trim())
    if (cents === null || cents < 0 || (kind === 'target' && cents % 100))
      return `“${stripBidi(number.trim())}” is not a ${kind} of “${name}”.`
    cells.push({ name: '', conditions, ...(kind === 'target' ? { target: cents / 100 } : { share: cents / 100 }) })
  }
  const combinations = cells.reduce((sum, { conditions }) => sum + combinationsOf(known, conditions), 0)
  if (combinations > QUOTA_LIMITS.combinations) return `“${name}” has more than ${QUOTA_LIMITS.combinations} combinations.`
  const both = overlapIn(
    known,
    cells.map(({ conditions }) => conditions),
  )
  if (both) return `Lines ${both[0] + 1} and ${both[1] + 1} of “${name}” overlap: a person could be in both.`
  return { name, kind: known.length > 1 ? 'interlock' : 'marginal', fields: known, cells }
}

/** The codes of a table's cell: words or codes, several divided by | or "or". */
function codesOf(field: string, text: string): string[] | string {
  const terms = QUOTA_FIELDS[field]!
  const codes: string[] = []
  for (const word of text.split(/\||\bor\b/i)) {
    const code = terms === 'id' ? idIn(word) : codeIn(terms, word)
    if (code === undefined)
      return `“${stripBidi(word.trim())}” is not a code of ${QUOTA_FIELD_LABELS[field]}: use ${terms === 'id' ? 'its number' : acceptedWords(terms)}.`
    codes.push(code)
  }
  return codes
}
const idIn = (word: string): string | undefined => (/^\d{1,9}$/.test(word.trim()) ? word.trim() : undefined)
const codeIn = (terms: readonly Term[], word: string): string | undefined => valueOfWord(terms, word.replaceAll('–', ' to '))

/** TABLE  shares of adults in the United States, in per cent; fields that aren't here are shared evenly. */
const POPULATION: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  age: { 1: 8.2, 2: 12.11, 3: 17.54, 4: 16.72, 5: 15.65, 6: 16.24, 7: 21.74 },
  gender: { female: 50.5, male: 48.5, other: 1 },
}
/** The fields that a plan can take from the audience. */
export const AUDIENCE_FIELDS = Object.keys(QUOTA_FIELDS).filter((field) => QUOTA_FIELDS[field] !== 'id')

/** Dimensions from the audience's codes, by the shares of the population. */
export function dimensionsOfAudience(
  fields: readonly string[],
  audience: Readonly<Record<string, string | undefined>>,
  interlocked: boolean,
): DimensionInput[] {
  const lists = fields.map((field) => {
    const terms = QUOTA_FIELDS[field] as readonly Term[]
    const chosen = audience[field]?.split(',').map((code) => code.trim())
    const among = chosen?.some(Boolean) ? terms.filter(({ value }) => chosen.includes(String(value))) : terms
    return among.map(({ value }) => ({ field, value, share: POPULATION[field]?.[value] ?? 1, label: labelOf(terms, value) }))
  })
  const cell = (parts: (typeof lists)[number]) => ({
    name: parts.map(({ label }) => label).join(', '),
    conditions: Object.fromEntries(parts.map(({ field, value }) => [field, [String(value)]])),
    share: parts.reduce((product, { share }) => product * share, 1),
  })
  if (!interlocked)
    return lists.map((list, at) => ({
      ...{ name: dimensionName([fields[at]!]), kind: 'marginal', fields: [fields[at]!] },
      cells: list.map((one) => cell([one])),
    }))
  const combined = lists.reduce<(typeof lists)[number][]>(
    (all, list) => all.flatMap((parts) => list.map((one) => [...parts, one])),
    [[]],
  )
  return [{ name: dimensionName(fields), kind: 'interlock', fields: [...fields], cells: combined.map(cell) }]
}
