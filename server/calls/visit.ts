import type { visitCalls } from '../../contract/visit.ts'
import { HttpError } from '../core/errors.ts'
import { type HandlersOf, ownTransaction } from '../core/handler.ts'
import { receiveVisits } from './visit/receive.ts'

const missing = async (): Promise<never> => {
  throw new HttpError(501, 'not_built', 'Not built yet')
}

export const visitHandlers: HandlersOf<typeof visitCalls> = {
  'visit.counts': missing,
  'visit.dailyGraph': missing,
  'visit.locations': missing,
  'visit.ingest': ownTransaction({ noKey: 'a device counts once at a venue in a second' }, receiveVisits),
}
