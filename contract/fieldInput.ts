import { z } from 'zod'
import { CivilDate, Id, idOf, TextOrNumber } from './call.ts'
import { fieldCode } from './fieldCodes.ts'
import {
  blankOf,
  type Field,
  type FieldOf,
  type Fields,
  faultOf,
  isBlank,
  mostOf,
  notOneOf,
  numberFault,
  type Plain,
  readField,
  type Texts,
  textsOf,
  tooMany,
  type WireOf,
} from './fieldKinds.ts'
import { exampleOf, inputWords } from './fieldWords.ts'
import { readWhole } from './money.ts'
import { whenObject } from './whenObject.ts'

/** What a call takes: money also as text, choices also as a comma list, and a numbered choice as any number. */
type SentOf<F extends Field> = F extends { kind: 'money' }
  ? number | string
  : F extends { kind: 'several' }
    ? string | number | (string | number)[]
    : F extends { kind: 'lines' }
      ? readonly (string | number)[]
      : F extends { kind: 'integer' | 'percent' }
        ? number | string | (F extends { nullable: true } ? null : never)
        : WireOf<F> extends number | null
          ? number | Extract<WireOf<F>, null>
          : WireOf<F>
type FieldSchema<F extends Field> = z.ZodType<WireOf<F>, SentOf<F>>
type Worded = 'text' | 'name' | 'email' | 'phone' | 'url' | 'zip'
type CreateSchema<F extends Field> = F extends { required: string }
  ? F extends { when: unknown }
    ? F extends { kind: Worded }
      ? z.ZodDefault<FieldSchema<F>>
      : z.ZodOptional<FieldSchema<F>>
    : FieldSchema<F>
  : F extends { usual: string | number } | { kind: 'lines' | 'several' | 'files' }
    ? z.ZodDefault<FieldSchema<F>>
    : z.ZodOptional<FieldSchema<F>>
/** The input of a call that creates a record. */
export type CreateShape<F extends Fields> = { [K in keyof Plain<F>]: CreateSchema<F[K]> }
/** The input of a call that edits one: every field may be missing. */
export type EditShape<F extends Fields> = {
  [K in keyof Plain<F> as F[K] extends { creates: true } ? never : K]: z.ZodOptional<FieldSchema<F[K]>>
}

/** A field that is required only in some cases may be blank in a call, whose handler decides. */
const inCalls = (field: Field): Field => (field.when ? ({ ...field, required: undefined } as Field) : field)
/** Refuses what the reader of the field's kind refuses, which forms, the palette and files use too, with its code. */
const reads = (field: Field) => (typed: unknown, at: Pick<z.core.$RefinementCtx, 'addIssue'>) => {
  const read = readField(inCalls(field), typed)
  if ('fault' in read) at.addIssue({ code: 'custom', message: read.fault, params: { code: fieldCode(field, typed) } })
}
const valueIn = (field: Field, typed: unknown): unknown => {
  const read = readField(inCalls(field), typed)
  return 'fault' in read ? typed : (read.value ?? (field.nullable ? null : blankOf(field)))
}
/** Reads a number or what is typed as one. */
const transformed = (field: Field, schema: z.ZodType) =>
  schema.superRefine(reads(field)).transform((typed) => valueIn(field, typed))
/** Reads in front of a schema that only describes the value; `blank` is the sentence about a blank optional one. */
const readBefore = (field: Field, schema: z.ZodType, blank: string) =>
  z.preprocess((typed, at) => {
    if (isBlank(typed)) at.addIssue({ code: 'custom', message: field.required ?? blank })
    else reads(field)(typed, at)
    return valueIn(field, typed)
  }, schema)

/** The sentence of the field's reader about a value of another type, where the reader refuses it. */
const wrongType = (field: Field) => ({
  error: ({ input }: { input?: unknown }) => {
    if (isBlank(input) && field.required) return field.required
    const read = readField(inCalls(field), input)
    return 'fault' in read ? read.fault : undefined
  },
})

/** Empty is null where it may be. */
const schemaOf = (field: Field): z.ZodType =>
  field.nullable ? z.preprocess((typed) => (isBlank(typed) ? null : typed), filled(field).nullable()) : filled(field)

function filled(field: Field): z.ZodType {
  const wrong = wrongType(field)
  switch (field.kind) {
    case 'text':
    case 'name':
    case 'zip':
    case 'email':
    case 'url': {
      const maxLength = field.kind === 'email' ? 254 : mostOf(field)
      return (
        z
          .string(wrong)
          .superRefine(reads(field))
          // Not a transformation, in front of which the document would lose a default.
          .overwrite((typed) => valueIn(field, typed) as string)
          .meta({ ...(field.required && !field.when ? { minLength: 1 } : {}), maxLength })
      )
    }
    case 'phone':
      return transformed(field, z.union([z.string().meta({ maxLength: 40 }), z.number()], wrong))
    case 'money':
      return transformed(field, z.union([z.number(), z.string()], wrong)).pipe(z.number())
    case 'integer':
    case 'percent': {
      const { min = 0, max = 10_000_000 } = field
      return readBefore(field, z.number().int().min(min).max(max), numberFault(field, ''))
    }
    case 'flag':
      return transformed(field, z.union([z.boolean(), z.number(), z.string()], wrong))
    case 'day': {
      const { required: error } = field
      return error
        ? z
            .string(wrong)
            .meta({ format: 'date' })
            .transform((text) => (isBlank(text) ? '' : text))
            .pipe(z.string().min(1, error).pipe(CivilDate))
        : CivilDate
    }
    case 'choice': {
      const values = field.options.map(({ value }) => value)
      const labels = { 'x-enum-descriptions': field.options.map(({ label }) => label) }
      if (values.every((value) => typeof value === 'string'))
        return z
          .enum(values as [string, ...string[]], { error: ({ input }) => wrong.error({ input }) ?? notOneOf(field) })
          .superRefine(reads(field))
          .meta(labels)
      return readBefore(field, z.number().int().positive(), notOneOf(field))
    }
    case 'record':
    case 'file':
      return field.required ? idOf(z.number({ error: field.required }).int().positive()) : Id
    case 'records':
    case 'files': {
      const list = z.array(Id, wrong).max(field.most, tooMany(field.most))
      return z.preprocess((sent) => (isBlank(sent) ? [] : sent), field.required ? list.min(1, field.required) : list)
    }
    case 'lines':
      return transformed(field, z.array(TextOrNumber, wrong).max(field.most, tooMany(field.most)))
    case 'several': {
      const list = transformed(field, z.union([z.string(), z.number(), z.array(TextOrNumber)], wrong))
      return field.required ? z.preprocess((sent) => sent ?? [], list) : list
    }
    case 'coordinates':
    case 'rows':
      throw new Error(`${field.label} has no schema of its own`)
  }
}

const plain = (fields: Fields) => Object.entries(fields).filter(([, { kind }]) => kind !== 'coordinates' && kind !== 'rows')

/** A new record without them has none. */
const isChosen = ({ kind }: Field): boolean => kind === 'lines' || kind === 'several' || kind === 'files'

/** Says in /openapi.json what the field is. */
function described<S extends z.ZodType>(field: Field, schema: S): S {
  const example = exampleOf(field)
  return schema.meta({ description: inputWords(field), ...(example === undefined ? {} : { example }) })
}

/** A new record lacks nothing that is required. */
const created = (field: Field): Field => (field.mayLack ? ({ ...field, mayLack: undefined } as unknown as Field) : field)
/** The schemas of a new record's fields. */
export const createShape = <const F extends Fields>(fields: F) =>
  Object.fromEntries(
    plain(fields).map(([name, field]) => [name, described(created(field), createSchema(field))]),
  ) as CreateShape<F>
function createSchema(field: Field): z.ZodType {
  const schema = schemaOf(field)
  if (field.required && !field.when && !(field.kind === 'flag' && field.usual !== undefined))
    return field.kind === 'money' ? z.preprocess((input) => input ?? '', schema) : schema
  const usual = field.usual ?? ((field.when && field.kind !== 'choice') || isChosen(field) ? blankOf(field) : undefined)
  return usual === undefined ? schema.optional() : schema.default(usual)
}

/** A field that some records may lack may be blank in an edit, whose handler decides. */
const edited = (field: Field): Field => (field.mayLack ? ({ ...field, required: undefined } as Field) : field)
/** The schemas of an edit's fields. */
export const editShape = <const F extends Fields>(fields: F) =>
  Object.fromEntries(
    plain(fields).flatMap(([name, field]) =>
      field.creates ? [] : [[name, described(field, schemaOf(edited(field)).optional())]],
    ),
  ) as EditShape<F>

/** The schema of a whole number that a record may lack: 0 is taken besides. */
export const orZero = (field: FieldOf<'integer'>) =>
  z.preprocess(
    (typed, at) => {
      if (typed === undefined) return undefined
      if (readWhole(typed) === 0) return 0
      reads(field)(typed, at)
      return valueIn(field, typed)
    },
    z
      .number()
      .int()
      .min(0)
      .max(field.max ?? 0)
      .optional(),
  )

/** The schema of a value that is no field of a record, so that its call says what it is. */
export const plainSchema = <const F extends Field>(field: F) => schemaOf(field) as FieldSchema<F>
/** The schema of a field, as calls take it. */
export const fieldSchema = <const F extends Field>(field: F) => described(field, schemaOf(field)) as FieldSchema<F>

/** Refuses a new record that lacks what is needed beside its other values, or has one that is wrong beside them. */
export const needing = <S extends z.ZodType>(schema: S, fields: Fields): S =>
  Object.entries(fields).reduce(
    (refined, [name, { needed, against, when, required }]) =>
      needed || against || (when && required)
        ? refined.refine((form) => lackOf(fields, name, form) === null, {
            path: [name],
            error: ({ input }) => lackOf(fields, name, input) ?? '',
            when: whenObject,
          })
        : refined,
    schema,
  )
/** What is wrong with a value beside others, or null; what is wrong with it alone its schema says. */
function lackOf(fields: Fields, name: string, form: unknown): string | null {
  const field = fields[name]!
  const value = (form as Readonly<Record<string, unknown>>)[name]
  if (!isBlank(value) && 'fault' in readField(field, value)) return null
  const texts: Texts = textsOf(fields, form as object)
  return faultOf(field, texts[name] ?? '', texts)
}

/** The schema of a choice that a call takes in any case, with blanks around it. */
export const inAnyCase = <const F extends FieldOf<'choice'>>(field: F) =>
  z.preprocess((typed) => (typeof typed === 'string' ? typed.trim().toLowerCase() : typed), plainSchema(field)) as z.ZodType<
    WireOf<F>,
    string
  >
