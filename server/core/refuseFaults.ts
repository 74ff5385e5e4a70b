import { faultCode } from '../../contract/fieldCodes.ts'
import type { Fields } from '../../contract/fieldKinds.ts'
import { HttpError } from './errors.ts'

/** Throws a 422 with a sentence and a code for each wrong field of a table; `values` are what was sent. */
export function refuseFaults(fields: Fields, faults: Readonly<Record<string, string>>, values: object): void {
  const [first, ...more] = new Set(Object.values(faults))
  if (first === undefined) return
  const sent = values as Readonly<Record<string, unknown>>
  const codes = Object.keys(faults).flatMap((name) => (fields[name] ? [[name, faultCode(fields[name], sent[name])]] : []))
  throw new HttpError(422, 'invalid', more.length ? `${first} (and ${more.length} more)` : first, {
    fields: { ...faults },
    field_codes: Object.fromEntries(codes),
  })
}
