import type { visitCalls } from '../../contract/visit.ts'
import { HttpError } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'

const missing = async (): Promise<never> => {
  throw new HttpError(501, 'not_built', 'Not built yet')
}

export const visitHandlers: HandlersOf<typeof visitCalls> = {
  'visit.counts': missing,
  'visit.dailyGraph': missing,
  'visit.locations': missing,
  'visit.ingest': missing,
}
