import type { ErrorCode } from '../../../contract/errorCodes.ts'
import type { DimensionInput } from '../../../contract/quota.ts'
import {
  type Conditions,
  combinationsOf,
  overlapIn,
  QUOTA_FIELDS,
  QUOTA_LIMITS,
  type Summed,
  sumFault,
  targetsOf,
} from '../../../contract/quotaRules.ts'
import { labelOf, type Term, valueOfWord } from '../../../contract/vocabulary.ts'
import type { Ctx } from '../../core/context.ts'
import { HttpError, invalid } from '../../core/errors.ts'
import { QUESTION, type QuotaPlan } from './quotaPlans.ts'

/** A dimension as it is stored. */
export interface PlannedDimension {
  name: string
  kind: DimensionInput['kind']
  fields: readonly string[]
  cells: readonly { name: string; conditions: Conditions; target: number }[]
}

/** What a field's codes are, and how the audience limits them. */
interface FieldCodes {
  /** A sent code as it is stored; undefined for an unknown one. */
  read(code: string): string | number | undefined
  label(code: string | number): string
  /** What is accepted, for a message. */
  accepted: string
  /** The codes of the audience; null for any. */
  audience: ReadonlySet<string> | null
}

const refuse = (code: ErrorCode, field: string, sentence: string, more: object = {}) =>
  new HttpError(422, code, sentence, { fields: { [field]: sentence }, ...more })

const termCodes = (terms: readonly Term[]): FieldCodes => ({
  read: (code) => terms.find(({ value }) => String(value) === valueOfWord(terms, code))?.value,
  label: (code) => labelOf(terms, code, String(code)),
  accepted: terms.map(({ value, label }) => (String(value) === label.toLowerCase() ? value : `${value} (${label})`)).join(', '),
  audience: null,
})
const idCodes = (names: ReadonlyMap<number, string>, accepted: string): FieldCodes => ({
  read: (code) => (names.has(Number(code)) ? Number(code) : undefined),
  label: (code) => names.get(Number(code)) ?? String(code),
  accepted,
  audience: null,
})

/** The codes of each field that a plan of a survey may use; throws 422 for other fields. */
async function fieldCodes(ctx: Pick<Ctx, 'db'>, survey_id: number, dimensions: readonly DimensionInput[]) {
  const codes = new Map<string, FieldCodes>()
  const audience = await audienceOf(ctx, survey_id)
  for (const [at, { fields }] of dimensions.entries())
    for (const field of fields) {
      if (codes.has(field)) continue
      const known = Object.hasOwn(QUOTA_FIELDS, field) ? QUOTA_FIELDS[field]! : null
      const read =
        field === 'dma'
          ? idCodes(await namesIn(ctx, 'dma'), 'the codes of market areas')
          : field === 'partner'
            ? idCodes(await namesIn(ctx, 'partner'), 'the ids of partners')
            : known && known !== 'id'
              ? termCodes(known)
              : await questionCodes(ctx, survey_id, field)
      if (!read)
        throw invalid(
          `dimensions.${at}.fields`,
          `${field.toWellFormed()} is not a field of quotas: send ${Object.keys(QUOTA_FIELDS).join(', ')} or answers.{id} of a single-choice question`,
          'choice',
        )
      codes.set(field, { ...read, audience: audience.get(field) ?? null })
    }
  return codes
}

async function namesIn({ db }: Pick<Ctx, 'db'>, what: 'dma' | 'partner'): Promise<Map<number, string>> {
  const rows =
    what === 'dma'
      ? await db.selectFrom('dmas').select(['code as id', 'name']).execute()
      : await db.selectFrom('partners').select(['id', 'name']).where('deleted_at', 'is', null).execute()
  return new Map(rows.map(({ id, name }) => [Number(id), name]))
}

async function questionCodes({ db }: Pick<Ctx, 'db'>, survey_id: number, field: string): Promise<FieldCodes | null> {
  const id = Number(QUESTION.exec(field)?.[1] ?? 0)
  const question = id
    ? await db
        .selectFrom('questions')
        .select(['options', 'answer_type'])
        .where('id', '=', id)
        .where('survey_id', '=', survey_id)
        .executeTakeFirst()
    : undefined
  if (question?.answer_type !== 'single') return null
  return termCodes(
    (JSON.parse(question.options) as unknown[]).map((option) => ({ value: String(option), label: String(option) })),
  )
}

/** The codes of the audience by field, where it has some. */
async function audienceOf({ db }: Pick<Ctx, 'db'>, survey_id: number): Promise<Map<string, ReadonlySet<string>>> {
  const target = await db
    .selectFrom('surveys')
    .innerJoin('targets', 'targets.activity_id', 'surveys.activity_id')
    .select(['age', 'gender', 'hhi', 'ethnicity', 'marital_status', 'children', 'location_based', 'targeted_locations'])
    .where('surveys.id', '=', survey_id)
    .executeTakeFirst()
  if (!target) return new Map()
  const { location_based, targeted_locations, ...lists } = target
  const all = { ...lists, dma: location_based === 'no' ? targeted_locations : '' }
  return new Map(
    Object.entries(all).flatMap(([field, list]) =>
      list ? [[field, new Set(list.split(',').map((code) => code.trim()))] as const] : [],
    ),
  )
}

/** Reads the dimensions of a plan; throws a 422 that names what is wrong. */
export async function readDimensions(
  ctx: Pick<Ctx, 'db'>,
  survey_id: number,
  total: number,
  dimensions: readonly DimensionInput[],
): Promise<PlannedDimension[]> {
  const cells = dimensions.reduce((sum, one) => sum + one.cells.length, 0)
  if (cells > QUOTA_LIMITS.cells) throw invalid('dimensions', `needs at most ${QUOTA_LIMITS.cells} cells in all`, 'range')
  const names = dimensions.map(({ name }) => name.normalize().toLowerCase())
  const twice = names.findIndex((name, at) => names.indexOf(name) !== at)
  if (twice >= 0) throw invalid(`dimensions.${twice}.name`, 'Another dimension has this name', 'taken')
  const codes = await fieldCodes(ctx, survey_id, dimensions)
  let combinations = 0
  return dimensions.map((dimension, at) => {
    const { name, kind, fields } = dimension
    const where = `dimensions.${at}`
    if (new Set(fields).size < fields.length) throw invalid(`${where}.fields`, 'names a field twice')
    if (kind !== 'concept' && !fields.length) throw invalid(`${where}.fields`, 'needs a field', 'required')
    if (kind === 'marginal' && fields.length > 1)
      throw invalid(`${where}.fields`, 'A marginal dimension has one field; several are an interlock')
    const read = dimension.cells.map((cell, place) => {
      const conditions = readConditions(cell.conditions, dimension, codes, `${where}.cells.${place}`)
      const labels = fields.flatMap(
        (field) => (conditions[field] ?? []).map((code) => codes.get(field)!.label(code)).join(' or ') || [],
      )
      return { name: cell.name || labels.join(', ').slice(0, 120) || `${name} ${place + 1}`, conditions }
    })
    if (kind !== 'concept') {
      combinations += read.reduce((sum, { conditions }) => sum + combinationsOf(fields, conditions), 0)
      if (combinations > QUOTA_LIMITS.combinations)
        throw invalid(`${where}.cells`, `has more than ${QUOTA_LIMITS.combinations} combinations of codes`, 'range')
      const both = overlapIn(
        fields,
        read.map(({ conditions }) => conditions),
      )
      if (both) {
        const [first, second] = both.map((place) => read[place]!.name)
        throw refuse('overlap', `${where}.cells.${both[1]}`, `A person could be in “${first}” and in “${second}” of “${name}”.`, {
          cells: both,
        })
      }
    }
    const targets = targetsIn(dimension, total, where)
    refuseOtherSum({ name, kind, fields, targets }, total, where)
    return { name, kind, fields, cells: read.map((cell, place) => ({ ...cell, target: targets[place]! })) }
  })
}

/** Throws 422 `sum` unless a dimension's targets add up to the total. */
function refuseOtherSum(summed: Summed, total: number, where: string): void {
  const sentence = sumFault(summed, total)
  if (sentence === null) return
  const targets = summed.targets.reduce((all, target) => all + target, 0)
  throw refuse('sum', where, sentence, { sums: { dimension: summed.name, targets, total } })
}

/** Throws 422 `sum` for a new total to which a plan's stored dimensions don't add up. */
export function refuseOtherTotal({ dimensions, cells }: QuotaPlan, total: number, where: string): void {
  for (const { id, name, kind, fields } of dimensions) {
    const targets = [...cells.values()].flatMap((cell) => (cell.dimension_id === id ? cell.target : []))
    refuseOtherSum({ name, kind, fields: JSON.parse(fields) as string[], targets }, total, where)
  }
}

function targetsIn({ cells }: DimensionInput, total: number, where: string): number[] {
  if (cells.every(({ share }) => share !== undefined)) {
    if (!cells.some(({ share }) => share! > 0)) throw invalid(`${where}.cells`, 'needs a share above 0', 'range')
    return targetsOf(
      total,
      cells.map(({ share }) => share!),
    )
  }
  return cells.map(({ target, share }, place) => {
    if (target === undefined || share !== undefined)
      throw invalid(`${where}.cells.${place}.target`, 'Send a target for each cell, or a share for each', 'required')
    return target
  })
}

function readConditions(
  sent: Readonly<Record<string, readonly string[]>>,
  { kind, fields }: DimensionInput,
  codes: ReadonlyMap<string, FieldCodes>,
  where: string,
): Conditions {
  const strange = Object.keys(sent).find((field) => !fields.includes(field))
  if (strange !== undefined)
    throw invalid(`${where}.conditions`, `${strange.toWellFormed()} is not a field of this dimension`, 'unknown_field')
  return Object.fromEntries(
    fields.flatMap((field) => {
      const { read, accepted, audience } = codes.get(field)!
      const path = `${where}.conditions.${field}`
      const values = (sent[field] ?? []).map((code) => {
        const value = read(code)
        if (value === undefined)
          throw invalid(
            path,
            `must be of ${accepted.slice(0, 1000)}, not ${JSON.stringify(code.slice(0, 40).toWellFormed())}`,
            'choice',
          )
        return value
      })
      if (!values.length) {
        if (kind !== 'concept') throw invalid(path, 'needs a code', 'required')
        return []
      }
      if (audience && !values.some((value) => audience.has(String(value))))
        throw refuse('unreachable', path, `Nobody of the audience is in this cell: it has none of these codes of ${field}.`)
      return [[field, [...new Set(values)].sort((a, b) => (a < b ? -1 : 1))] as const]
    }),
  )
}
