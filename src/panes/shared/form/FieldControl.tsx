import { type Field, mostOf, YES_OR_NO } from '../../../../contract/fieldKinds.ts'
import { CheckGroup } from '../../../ui/Checkbox.tsx'
import { DateInput } from '../../../ui/DateInput.tsx'
import { PhoneInput } from '../../../ui/PhoneInput.tsx'
import { RadioGroup } from '../../../ui/RadioGroup.tsx'
import { Select } from '../../../ui/Select.tsx'
import { NumberInput, TextArea, TextInput } from '../../../ui/TextInput.tsx'
import type { Bound } from './FormField.tsx'

/** True if its control is one of several parts, which its label names together. */
export const isGroup = (field: Field): boolean =>
  ['records', 'rows', 'several', 'file', 'files', 'flag'].includes(field.kind) || (field.kind === 'choice' && !field.menu)

/** The usual control of a field's kind; `options` are the records that it can name, or some of its choices. */
export function FieldControl({
  field,
  options: records,
  value,
  autoComplete = 'off',
  ...bound
}: Omit<Bound<string>, 'onBlur'> &
  Partial<Pick<Bound<string>, 'onBlur'>> & {
    field: Field
    options?: readonly { value: string; label: string }[] | undefined
    autoComplete?: string | undefined
  }) {
  const common = { ...bound, value, autoComplete, placeholder: field.placeholder }
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
      return <PhoneInput value={value} onChange={bound.onChange} onBlur={bound.onBlur} />
    case 'money':
      return <TextInput {...common} inputMode="decimal" maxLength={24} className="max-w-40 tabular-nums" />
    case 'choice': {
      // None is what its placeholder says.
      const chosen = field.options.filter(({ value }) => value !== '')
      const options = chosen.map(({ value, label, detail }) => ({ value: String(value), label, hint: detail }))
      if (field.menu) return <Select {...bound} value={value} options={options} placeholder={field.placeholder} />
      return <RadioGroup value={value} onChange={bound.onChange} options={options} />
    }
    case 'several': {
      const options = records ?? (field.options ?? []).map(({ value, label }) => ({ value: String(value), label }))
      const columns = options.some(({ label }) => label.length > 10) ? 152 : 88
      // Drafts of earlier releases have numbers.
      const several = {
        value: (value as never as (string | number)[]).map(String),
        onChange: bound.onChange as never as (value: string[]) => void,
      }
      return <CheckGroup {...several} options={options} all="All" presets={field.presets ?? []} columns={columns} />
    }
    case 'lines':
      return <TextArea {...bound} value={value} rows={5} maxLength={60_000} />
    case 'flag':
      return <RadioGroup value={value} onChange={bound.onChange} options={YES_OR_NO} />
    case 'integer':
      return <NumberInput {...bound} value={value} unit={field.unit} />
    case 'percent':
      return <NumberInput {...bound} value={value} unit="%" />
    case 'day':
      return <DateInput {...bound} value={value} />
    case 'record':
      return <Select {...bound} value={value} options={records ?? []} placeholder={field.placeholder} />
    case 'coordinates':
      return <TextInput {...common} className="font-mono placeholder:font-sans" />
    default:
      throw new Error(`${field.label} needs a control of its own`)
  }
}
