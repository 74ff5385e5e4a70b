import type { FieldCode } from '../../../contract/errorCodes.ts'
import { readExternalId } from '../../../contract/externalId.ts'
import { count } from '../../../contract/format.ts'
import { knownPosition, NOWHERE } from '../../../contract/position.ts'
import type { NewVenue } from '../../../contract/service.ts'
import type { Ctx } from '../../core/context.ts'
import { HttpError } from '../../core/errors.ts'
import { marketPlaces } from '../../db/markets.ts'
import { doubtOf, placeOf } from './venuePosition.ts'

/** The most venues that a call adds itself; a job adds more. */
export const AT_ONCE = 1000
const NO_PLACE = 'needs a position or a market area'
/** The most lines whose errors are reported. */
const FAULTS = 1000

/** A venue’s code by the reader of the ids that visits name it by. */
const codeOf = ({ code }: NewVenue) => readExternalId(code, { most: 100 })

interface VenueFault {
  field: keyof NewVenue
  code: FieldCode
  sentence: string
}

/** Throws a 422 with the errors of each line; positions aren't looked up yet, so that 50,000 lines stay fast. */
export function refuseVenues(venues: readonly NewVenue[]): void {
  const errors: { line: number; code: FieldCode; sentence: string }[] = []
  const seen = new Set<string>()
  let wrong = 0
  for (const [at, venue] of venues.entries()) {
    const fault = venueFault(venue, seen)
    if (fault && ++wrong <= FAULTS) errors.push({ line: at + 1, code: fault.code, sentence: fault.sentence })
  }
  const [first] = errors
  if (!first) return
  const sentence = `Venue ${first.line} ${first.sentence}${wrong > 1 ? ` (and ${count(wrong - 1)} more)` : ''}`
  throw new HttpError(422, 'invalid', sentence, { fields: { venues: sentence }, data: { errors } })
}

/** What is wrong with a venue, as the end of a sentence, and in which field; its code is added to `seen`. */
export function venueFault(venue: NewVenue, seen: Set<string>): VenueFault | null {
  const wrong = (field: keyof NewVenue, code: FieldCode, sentence: string) => ({ field, code, sentence })
  const read = codeOf(venue)
  if ('fault' in read) return wrong('code', 'format', `has a code that ${read.fault}`)
  const code = read.id
  const isRepeated = seen.has(code)
  seen.add(code)
  if (!code) return wrong('code', 'required', 'has no code')
  if (isRepeated) return wrong('code', 'taken', `repeats the code ${code}`)
  const { latitude = null, longitude = null, dma = null } = venue
  if ((latitude === null) !== (longitude === null))
    return wrong(latitude === null ? 'latitude' : 'longitude', 'required', 'needs both a latitude and a longitude')
  if (dma === null && knownPosition(venue) === null)
    return wrong('dma', 'required', latitude === null ? NO_PLACE : `${NO_PLACE}: ${NOWHERE}`)
  if (dma !== null && !marketPlaces().has(dma)) return wrong('dma', 'choice', `has no market area ${dma}`)
  const doubt = doubtOf(venue)
  return doubt ? wrong('latitude', 'invalid', `has a doubtful position (${doubt})`) : null
}

/** A venue’s code as stored; a job of an earlier release may have one that is refused now. */
function idOf(venue: NewVenue): string {
  const read = codeOf(venue)
  return 'id' in read ? read.id : String(venue.code).trim()
}

/** A service's validated venues as rows. */
export function venueRows({ now, today }: Pick<Ctx, 'now' | 'today'>, service_id: number, venues: readonly NewVenue[]) {
  return venues.map((venue) => ({
    ...{ service_id, code: idOf(venue), name: venue.name, address: venue.address, ...placeOf(venue)!, since: today },
    ...{ deleted_at: null, created_at: now, updated_at: now },
  }))
}
