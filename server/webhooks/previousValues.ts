import type { z } from 'zod'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { fieldTables } from '../../contract/fieldTables.ts'
import { readStatus, SPELLING } from '../../contract/status.ts'
import { readOfNoun } from '../../contract/webhookNouns.ts'

/** The names under which a noun's record shows a column: a status is in it as stored, too. */
function namesOf(noun: string, column: string): string[] {
  const fields = Object.entries(fieldTables[noun] ?? {}).flatMap(([name, field]) =>
    (field.column ?? name) === column ? [name] : [],
  )
  return [...(fields.length ? fields : [column]), ...(column === 'status' ? ['stored_status'] : [])]
}

/** A column's value in the ways that a record may spell it: as it is, in the API's spelling, yes or no, a list. */
function* spellingsOf(name: string, value: unknown): Iterable<unknown> {
  const status = name === 'status' && typeof value === 'string' ? readStatus(value) : null
  if (status) yield SPELLING[status].v3
  yield value
  if (value === 0 || value === 1) yield value === 1
  if (typeof value === 'string' && value.startsWith('[')) yield JSON.parse(value)
}

/**
 * The former values of what a change replaced, under the names and in the spelling of the record that was read.
 * What its reader doesn't get, or gets in another form than it is stored in, is left out.
 */
export function previousOf(noun: string, before: Readonly<Record<string, unknown>>, data: unknown): Record<string, unknown> {
  const read: Call = calls[readOfNoun(noun) as CallId]
  const { shape } = (read.output as z.ZodObject<{ data: z.ZodObject }>).shape.data
  const record = data as Readonly<Record<string, unknown>>
  const previous: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(before))
    for (const name of namesOf(noun, column)) {
      if (!Object.hasOwn(record, name) || !Object.hasOwn(shape, name)) continue
      const spelled = [...spellingsOf(name, value)].find((one) => (shape[name] as z.ZodType).safeParse(one).success)
      if (spelled !== undefined) previous[name] = spelled
    }
  return previous
}
