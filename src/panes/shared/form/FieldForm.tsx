import { type ComponentProps, Fragment, type ReactNode } from 'react'
import { type Field, type Fields, mostOf, type Texts, type ValueOf } from '../../../../contract/fieldKinds.ts'
import { DateInput } from '../../../ui/DateInput.tsx'
import { RadioGroup } from '../../../ui/RadioGroup.tsx'
import { Select } from '../../../ui/Select.tsx'
import { NumberInput, TextArea, TextInput } from '../../../ui/TextInput.tsx'
import { type Bound, FormField } from './FormField.tsx'
import { RecordForm, type RecordSection } from './RecordForm.tsx'

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
    const wide = !paired && (isWide(field) || own !== undefined)
    const body = (
      <FormField
        control={form.control}
        name={name}
        label={label}
        required={Boolean(field.required) || needs.includes(name)}
        group={(field.kind === 'choice' && !field.menu) || field.kind === 'records' || field.kind === 'rows'}
        wide={wide && !below[name]}
        hint={hints[name] ?? (typeof hint === 'function' ? hint(form.values) : hint)}
      >
        {(bound) =>
          own ? own(bound as never) : <FieldControl field={field} options={options[name]} {...(bound as Bound<string>)} />
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

/** All but short ones take a line of their own. */
const isWide = (field: Field) =>
  field.kind === 'text' || field.kind === 'name'
    ? mostOf(field) >= 200
    : ['url', 'money', 'records', 'rows'].includes(field.kind) || isRadio(field)
const isRadio = (field: Field) => field.kind === 'choice' && !field.menu

/** The usual control of a field's kind. */
function FieldControl({
  field,
  options: records,
  value,
  ...bound
}: Bound<string> & { field: Field; options?: readonly { value: string; label: string }[] | undefined }) {
  const common = { ...bound, value, autoComplete: 'off', placeholder: field.placeholder }
  switch (field.kind) {
    case 'text': {
      const { lines, code } = field
      const look = code ? 'font-mono' : undefined
      if (lines) return <TextArea {...bound} value={value} rows={lines} maxLength={mostOf(field)} className={look} />
      return <TextInput {...common} maxLength={mostOf(field)} className={look} />
    }
    case 'name':
      return <TextInput {...common} maxLength={mostOf(field)} />
    case 'zip':
      return <TextInput {...common} maxLength={mostOf(field)} inputMode="numeric" />
    case 'email':
    case 'url':
      return <TextInput {...common} inputMode={field.kind} />
    case 'phone':
      return <TextInput {...common} inputMode="tel" />
    case 'money':
      return <TextInput {...common} inputMode="decimal" maxLength={24} className="max-w-40 tabular-nums" />
    case 'choice': {
      const options = field.options.map(({ value, label, detail }) => ({ value: String(value), label, hint: detail }))
      if (field.menu) return <Select {...bound} value={value} options={options} placeholder={field.placeholder} />
      return <RadioGroup value={value} onChange={bound.onChange} options={options} />
    }
    case 'integer':
      return <NumberInput {...bound} value={value} unit={field.unit} />
    case 'percent':
      return <NumberInput {...bound} value={value} unit="%" />
    case 'day':
      return <DateInput {...bound} value={value} />
    case 'record':
      return <Select {...bound} value={value} options={records ?? []} placeholder={field.placeholder} />
    case 'coordinates':
      return <TextInput {...common} className="font-mono" />
    default:
      throw new Error(`${field.label} needs a control of its own`)
  }
}
