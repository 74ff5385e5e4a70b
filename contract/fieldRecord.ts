import { z } from 'zod'
import { oneOf, UsDay } from './enums.ts'
import type { Field, Fields } from './fieldKinds.ts'
import { type OlderRecord, olderFields } from './olderFields.ts'
import type { RecordValue } from './recordFields.ts'

function schemaOf(field: Field): z.ZodType {
  switch (field.kind) {
    case 'day':
      return z.string().nullable()
    case 'flag':
      return z.boolean()
    case 'integer':
    case 'percent':
    case 'record':
    case 'file':
      return z.number()
    case 'choice': {
      const values = field.options.map(({ value }) => value)
      return values.every((value) => typeof value === 'string') ? oneOf(values) : z.number()
    }
    default:
      return z.string()
  }
}
const shapeOf = (fields: Fields, schema: (field: Field) => z.ZodType) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, field.nullable ? schema(field).nullable() : schema(field)]),
  )

/** The schemas of fields as a record has them. */
export const recordShape = <F extends Fields>(fields: F) =>
  shapeOf(fields, schemaOf) as { [K in keyof F]: z.ZodType<RecordValue<F[K]>> }
/** The same in the older spelling, where a missing date is empty. */
export const olderShape = <F extends Fields>(fields: F) =>
  shapeOf(olderFields(fields) as Fields, (field) => (field.kind === 'day' ? UsDay : schemaOf(field))) as {
    [K in keyof OlderRecord<F>]: z.ZodType<OlderRecord<F>[K]>
  }
