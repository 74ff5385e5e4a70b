import { type ComponentProps, Fragment, type ReactNode } from 'react'
import {
  type Field,
  type FieldOf,
  type Fields,
  mostOf,
  type Texts,
  typesOf,
  type ValueOf,
} from '../../../../contract/fieldKinds.ts'
import { FileDrop } from '../../../ui/FileDrop.tsx'
import { FieldControl, isGroup } from './FieldControl.tsx'
import { type Bound, FormField } from './FormField.tsx'
import { RecordForm, type RecordSection } from './RecordForm.tsx'
import { acceptOf, type useUploads } from './useUploads.ts'

/** A section: its fields in their order; `hint` and `title` as in `RecordForm`. */
interface Section {
  id: string
  title: string
  hint?: ReactNode
  fields: readonly string[]
  /** What precedes the first field, and follows the last one. */
  start?: ReactNode
  end?: ReactNode
  /** What it has in place of its fields. */
  body?: ReactNode
  done?: boolean
  /** Draws long fields side by side, too. */
  paired?: true
}
type Control<V> = (bound: Bound<V>) => ReactNode

/** A record's form, drawn from its fields. */
export function FieldForm<F extends Fields>({
  fields,
  sections,
  controls = {},
  below = {},
  hints = {},
  options = {},
  hides = [],
  needs = [],
  ...rest
}: Omit<ComponentProps<typeof RecordForm<Texts>>, 'sections' | 'form'> & {
  form: unknown
  fields: F
  sections: readonly Section[]
  /** Controls of fields that need one of their own. */
  controls?: { readonly [K in keyof F]?: Control<ValueOf<F[K]>> }
  /** Hints that depend on other records. */
  hints?: { readonly [K in keyof F]?: ReactNode }
  /** Fields that aren't drawn, or not now. */
  hides?: readonly string[]
  /** Fields that are required now, by other records. */
  needs?: readonly string[]
  /** The records that a field can name. */
  options?: { readonly [K in keyof F]?: readonly { value: string; label: string }[] }
  /** What is shown below a field, or after a narrow one. */
  below?: { readonly [K in keyof F]?: ReactNode }
}) {
  const form = rest.form as ComponentProps<typeof RecordForm<Texts>>['form']
  const drawn = (name: keyof F & string, paired?: boolean): ReactNode => {
    const field = fields[name]!
    if (hides.includes(name)) return null
    if (field.when && !field.when(form.values)) return null
    const { hint, label } = field
    const own = controls[name] as Control<never> | undefined
    const wide = !paired && (isWide(field) || (own !== undefined && field.kind !== 'day' && field.kind !== 'integer'))
    const body = (
      <FormField
        control={form.control}
        name={name}
        label={label}
        required={Boolean(field.required ?? field.needed?.(form.values)) || needs.includes(name)}
        group={isGroup(field)}
        wide={wide && !below[name]}
        hint={isFiles(field) ? null : (hints[name] ?? (typeof hint === 'function' ? hint(form.values) : hint))}
      >
        {(bound) =>
          own ? (
            own(bound as never)
          ) : field.kind === 'file' || field.kind === 'files' ? (
            <FileControl field={field} types={typesOf(field, form.values)} uploads={form.uploads} />
          ) : (
            <FieldControl field={field} options={options[name]} {...(bound as Bound<string>)} />
          )
        }
      </FormField>
    )
    if (!below[name]) return <Fragment key={name}>{body}</Fragment>
    return wide ? (
      <div key={name} className="flex min-w-0 flex-col gap-2 @lg:col-span-2">
        {body}
        {below[name]}
      </div>
    ) : (
      <Fragment key={name}>
        {body}
        {below[name]}
      </Fragment>
    )
  }
  return (
    <RecordForm
      {...rest}
      form={form}
      sections={placed(fields, sections, hides).map(
        ({ fields: names, start, end, body, paired, ...section }): RecordSection<Texts> => ({
          ...section,
          fields: names,
          children: body ?? (
            <>
              {start}
              {names.map((name) => drawn(name, paired))}
              {end}
            </>
          ),
        }),
      )}
    />
  )
}

/** Puts fields that no section names at the end of the last section that has fields, in the table's order. */
export function placed<S extends Pick<Section, 'fields' | 'body'>>(
  fields: Fields,
  sections: readonly S[],
  hides: readonly string[],
): S[] {
  const named = new Set([...hides, ...sections.flatMap((section) => section.fields)])
  const rest = Object.keys(fields).filter((name) => !named.has(name))
  const last = sections.findLastIndex((section) => !section.body)
  return sections.map((section, at) =>
    at === last && rest.length ? { ...section, fields: [...section.fields, ...rest] } : section,
  )
}

/** All but short ones take a line of their own; a code is shorter than a text. */
const isWide = (field: Field) =>
  field.kind === 'text' || field.kind === 'name'
    ? mostOf(field) > ('code' in field && field.code ? 200 : 199)
    : ['url', 'money', 'lines'].includes(field.kind) || isGroup(field)
const isFiles = (field: Field) => field.kind === 'file' || field.kind === 'files'

/** Uploads a field's files as they are added; a file takes the place of the one before. */
function FileControl({
  field,
  types,
  uploads,
}: {
  field: FieldOf<'file' | 'files'>
  types: readonly string[] | undefined
  uploads: ReturnType<typeof useUploads>
}) {
  const single = field.kind === 'file'
  const { hint } = field
  return (
    <FileDrop
      files={uploads.files}
      multiple={!single}
      onAdd={(files) => {
        if (single) for (const { id } of uploads.files) uploads.remove(id)
        uploads.add(files, types, types)
      }}
      onRemove={uploads.remove}
      onRetry={uploads.retry}
      accept={acceptOf(types)}
      hint={typeof hint === 'string' ? hint : null}
    />
  )
}
